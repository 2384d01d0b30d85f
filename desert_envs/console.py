"""Shared by all programs of the project: arguments, one-line errors, tables."""

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
    """An argument parser with one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and where to find help."""
        raise InputError(f"{self.prog}: {message}; see {self.prog} --help")


def guarded(run: Callable[[], int]) -> int:
    """Run a program; returns its exit status, or 2 for a user error, which is printed as one line on stderr."""
    open_streams()
    try:
        status = run()
        sys.stdout.flush()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # no other file is used without checking it first
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(printable(f"output: cannot be written ({error.strerror})"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def open_streams() -> None:
    """Make the standard streams accept any text.

    Bytes that are not text are read as escapes, and characters that a terminal lacks are written as escapes. A closed
    stream reads as empty and discards what is written.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def parse_options(given: Iterable[str]) -> dict[str, Any]:
    """Parse options written NAME=VALUE: numbers and booleans are converted, anything else is text."""
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
