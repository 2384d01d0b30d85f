"""Self-play training with MaskablePPO: ``python -m agents.train CONFIG.toml``; all results go to one folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.config import load
from agents.needs import extra
from agents.run import Run
from desert_envs.console import Parser, guarded
from desert_envs.engine.errors import InputError

if TYPE_CHECKING:
    from agents.training import Trainer

CHANGEABLE = ("training.steps", "training.minutes", "evaluation.games")  # settings that a resumed run may change


def parser() -> Parser:
    """The arguments of the program."""
    top = Parser(prog="python -m agents.train", description=__doc__)
    top.add_argument("config", metavar="CONFIG.toml", nargs="?", help="what to train, and how")
    top.add_argument("--resume", metavar="RUN", help="go on with an interrupted run in this folder, by its own config")
    top.add_argument("--seed", type=int, help="instead of the config's")
    top.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="instead of the config's")
    top.add_argument("--runs", metavar="FOLDER", default="runs", help="where a new run's folder is made")
    return top


def prepare(argv: Sequence[str] | None) -> Trainer:
    """The run that the command line asks for, ready to train. A new run that cannot begin leaves no folder."""
    arguments = parser().parse_args(argv)
    with extra("agents.train", "train"):
        from agents.training import Trainer
    settings = arguments.set + ([] if arguments.seed is None else [f"seed={arguments.seed}"])
    if (arguments.config is None) == (arguments.resume is None):
        raise InputError("agents.train: give either CONFIG.toml, or --resume RUN to go on with a run by its own config")
    if arguments.resume is None:
        config, table = load(arguments.config, settings)
        table = {"seed": config.seed, **table}
        run = Run.create(Path(arguments.runs), Path(arguments.config).stem, table, config.setting())
        try:
            trainer = Trainer(config, run)
            trainer.begin()
        except InputError:
            run.remove()
            raise
        return trainer
    for setting in settings:
        if setting.partition("=")[0] not in CHANGEABLE:
            raise InputError(f"--set {setting}: a resumed run keeps this; it may change {', '.join(CHANGEABLE)}")
    run = Run.find(Path(arguments.resume))
    config, _ = load(run.config, settings)
    trainer = Trainer(config, run)
    if run.checkpoint.exists():
        trainer.resume()
    else:  # ended before the first update
        trainer.begin()
    return trainer


def run(argv: Sequence[str] | None) -> int:
    """Train and evaluate as the command line says."""
    trainer = prepare(argv)
    if not trainer.train():
        steps, folder = trainer.model.num_timesteps, trainer.run.folder
        print(f"Interrupted after {steps:,} decisions. To go on: python -m agents.train --resume {folder}")
        return 130
    trainer.finish()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit status: 0, 2 for a user error, 130 if interrupted."""
    return guarded(lambda: run(argv))


if __name__ == "__main__":
    sys.exit(main())
