"""What every program of the project shares: arguments, mistakes told in one line, tables."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, NoReturn

from rich.console import Console
from rich.table import Table

from desert_envs.engine.errors import InputError, printable

WIDTH = 120  # of tables that go to a file


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where help is."""
        raise InputError(f"{self.prog}: {message}; see {self.prog} --help")


def guarded(run: Callable[[], int]) -> int:
    """Run a program; returns its exit status, or 2 for a mistake of the user, told in one line on stderr."""
    open_streams()
    try:
        status = run()
        sys.stdout.flush()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever reads the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # nothing but the output is used without asking whether it can be
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(printable(f"output: cannot be written ({error.strerror})"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def open_streams() -> None:
    """Make the standard streams take whatever comes.

    Bytes that are no text are read as escapes, and letters that a terminal lacks are written as escapes. What is closed
    reads as empty and is written into nothing.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def parse_options(given: Iterable[str]) -> dict[str, Any]:
    """Options written NAME=VALUE; a value that is a number, true or false is one, all else is text."""
    options = {}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not equals:
            raise InputError(f"--option {entry}: has no value; write NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def make_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A plain table of text."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def print_parts(*parts: str | Table, file: IO[str] | None = None) -> None:
    """Print paragraphs and tables, to stdout or a file, with a blank line after each; text is shown as it is."""
    width = None if file is None and sys.stdout.isatty() else WIDTH
    console = Console(file=file, highlight=False, markup=False, emoji=False, width=width)
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))
        console.print()


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', '&#124;') for cell in line)} |\n" for line in lines)
