"""A self-play run with MaskablePPO: the trainer, and its work between updates."""

from __future__ import annotations

import io
import json
from collections import deque
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from agents.config import Config, Imitation
from agents.curves import draw
from agents.imitation import imitate
from agents.network import HexPolicy, generators, layout, set_generators
from agents.play import evaluate, play_one
from agents.players import BuiltIn, Learned
from agents.pool import SNAPSHOT, Pool, snapshot_name
from agents.progress import Bar, Interrupt
from agents.results import records, results_table
from agents.run import Run, told_when_full, write_whole
from desert_envs.console import print_parts
from desert_envs.engine.replay import write_lines
from desert_envs.envs.sb3 import GameVecEnv

RECENT = 200  # games with each kind of opponent that the figures on the way are of
CHECKPOINT_SECONDS = 30.0  # between checkpoints, about
NOT_SAVED = ("_last_obs", "_last_episode_starts", "_last_original_obs", "ep_info_buffer", "ep_success_buffer")
PROGRESS = ("noted", "snapshot_due", "illegal", "recent", "agreement")  # of a Trainer, kept in checkpoints


class Stop(Exception):
    """Raised between updates: the training is interrupted, or its time is up."""


class Trainer:
    """A training run: environment, model and opponents, what is known of recent games, and how all that is stored."""

    def __init__(self, config: Config, run: Run) -> None:
        self.config, self.run = config, run
        self.scenario = config.setting()
        self.pool = Pool(self.scenario.game, run.snapshots, config.opponents, config.seed)
        torch.set_num_threads(config.training.threads)
        self.env = GameVecEnv(
            self.scenario,
            config.training.games,
            config.seed,
            shaping=None if config.training.shaping == "none" else config.training.shaping,
            assign=self.pool.assign,
            decide=self.pool.decide,
        )
        self.pool.learners = self.env.learners
        self.noted = 0  # decisions up to which the curves go
        self.snapshot_due = 0  # decisions
        self.illegal = 0  # illegal actions of the learner so far: a mistake if there are any
        self.recent: dict[str, deque[float]] = {}  # results by kind of opponent
        self.agreement: float | None = None  # after imitation: the chance of what the scripted player chose
        self.seconds = 0.0  # before this process
        self._begun = perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds of training so far, those before an interruption too."""
        return self.seconds + perf_counter() - self._begun

    @property
    def late(self) -> bool:
        """True if the time that training may take is up."""
        minutes = self.config.training.minutes
        return minutes is not None and self.elapsed > 60 * minutes

    def begin(self) -> None:
        """Start with a new model."""
        ppo = dict(vars(self.config.ppo))
        first, last = ppo.pop("learning_rate"), ppo.pop("final_learning_rate")
        self.model = MaskablePPO(
            HexPolicy,
            self.env,
            learning_rate=first if last is None else LinearSchedule(first, last, 1.0),
            policy_kwargs={**vars(self.config.network), "layout": layout(self.scenario)},
            seed=self.config.seed,
            device=self.config.training.device,
            **ppo,
        )
        if self.config.imitation:
            self.imitate(self.config.imitation)
        self.take_snapshot()
        self.pool.shuffle()

    def imitate(self, settings: Imitation) -> None:
        """Let the model learn from the scripted player first."""
        with Bar("imitation", settings.decisions) as bar:

            def tell(done: int, agreement: float) -> bool:
                bar.move(done)
                bar.tell(f"{done / self.elapsed:,.0f}/s, {agreement:.0%} as the scripted player")
                return not self.late

            self.agreement = imitate(self.model.policy, self.scenario, settings, self.config.seed, tell)

    def resume(self) -> None:
        """Go on from the run's checkpoint."""
        state = self.run.load_checkpoint()
        self.model = MaskablePPO.load(io.BytesIO(state["model"]), self.env, device=self.config.training.device)
        self.model._last_obs, self.model._last_episode_starts = state["last"]
        self.env.learners.set_state(state["learners"])
        self.pool.restore(state["pool"])
        self.__dict__.update(state["progress"])
        self.run.cut_curve(self.noted)
        set_generators(state["random"])  # with them SB3 explores and shuffles its minibatches

    def save(self) -> None:
        """Store a checkpoint, from which the run goes on as if nothing had happened."""
        progress = {name: getattr(self, name) for name in PROGRESS}
        self.run.save_checkpoint(
            {
                "model": self._saved(),
                "last": (self.model._last_obs, self.model._last_episode_starts),
                "learners": self.env.learners.get_state(),
                "pool": self.pool.state(),
                "progress": {**progress, "seconds": self.elapsed},
                "random": generators(),
            }
        )

    def _saved(self) -> bytes:
        """The model as a file."""
        file = io.BytesIO()
        self.model.save(file, exclude=NOT_SAVED)
        return file.getvalue()

    def take_snapshot(self) -> None:
        """Store the model as it is, as an opponent."""
        name = snapshot_name(self.model.num_timesteps)
        write_whole(self.pool.file(name), self._saved())
        self.pool.add(name)
        self.snapshot_due = self.model.num_timesteps + self.config.opponents.snapshot_every

    def note(self, info: dict[str, Any]) -> None:
        """Take down how a game ended."""
        self.pool.note(info["opponent"], info["result"])
        kind = "snapshots" if info["opponent"].startswith(SNAPSHOT) else info["opponent"]
        self.recent.setdefault(kind, deque(maxlen=RECENT)).append(info["result"])
        self.illegal += info["illegal_action"]

    def figures(self) -> dict[str, Any]:
        """Of recent games: the mean result, and the share won, by kind of opponent."""
        results = [result for some in self.recent.values() for result in some]
        won = {kind: float(np.mean(np.array(some) > 0)) for kind, some in sorted(self.recent.items())}
        return {"mean_result": float(np.mean(results)) if results else 0.0, "won": won}

    def train(self) -> bool:
        """Train to the end; False if interrupted. Either way there is a checkpoint of the last update.

        Raises InputError if the disk is full; the last checkpoint is there.
        """
        self.model.set_logger(configure(str(self.run.tensorboard), ["tensorboard"]))
        left = self.config.training.steps - self.model.num_timesteps
        with (
            Bar("training", self.config.training.steps, self.model.num_timesteps) as bar,
            Interrupt(bar.say) as interrupt,
            suppress(Stop),
            told_when_full(self.run.folder),
        ):  # TensorBoard's files are written by SB3
            if left > 0:
                self.model.learn(left, Watch(self, bar, interrupt), reset_num_timesteps=False)
        return not interrupt.wanted

    def finish(self) -> None:
        """Save the model, play the final evaluation, and write all that tells of the run."""
        run, game, config = self.run, self.scenario.game, self.config
        write_whole(run.model, self._saved())
        player = Learned("model", run.model, game, config.evaluation.greedy)
        found = []
        for against in (BuiltIn("random"), BuiltIn("scripted")):
            played = evaluate(self.scenario, player, against, config.evaluation.games, config.seed)
            found.append((against.name, records(game, played)))
        draw(run, f"{game.title}, {self.scenario.name}", found)
        seated = [player if team == 0 else BuiltIn("scripted") for team in game.teams]
        play_one(self.scenario, seated, config.seed).save(run.replay)
        head: dict[str, Any] = {
            "steps": self.model.num_timesteps,
            "seconds": round(self.elapsed, 1),
            "illegal_actions": self.illegal,
        }
        head["imitation_agreement"] = self.agreement
        results = {who: {side: record.as_dict() for side, record in sides.items()} for who, sides in found}
        write_lines(run.results, [json.dumps({**head, "against": results}, indent=2)])
        trained = (
            f"{self.model.num_timesteps:,} decisions in {self.elapsed / 60:.1f} minutes, evaluation included; "
            f"illegal actions: {self.illegal}"
        )
        where = (
            f"Model: {run.model}\nLearning curve: {run.picture}\n"
            f"A game: desert-envs replay {run.replay}\nAll of the run: {run.folder}"
        )
        table = results_table(f"{game.title}, {self.scenario.name}: the trained model", found)
        print_parts(trained, table, where)
        summary = io.StringIO()
        print_parts(trained, table, where, file=summary)
        write_whole(run.summary, summary.getvalue().encode())


class Watch(BaseCallback):
    """The callback: results of games, curves, snapshots, checkpoints, and stopping on request."""

    def __init__(self, trainer: Trainer, bar: Bar, interrupt: Interrupt) -> None:
        super().__init__()
        self.trainer, self.bar, self.interrupt = trainer, bar, interrupt
        self.saved = float("-inf")
        self.marked = (trainer.model.num_timesteps, perf_counter())

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info:
                self.trainer.note(info)
        self.bar.move(self.num_timesteps)
        return True

    def _on_rollout_end(self) -> None:
        figures = self.trainer.figures()
        self.logger.record("games/mean_result", figures["mean_result"])
        for kind, share in figures["won"].items():
            self.logger.record(f"games/won_against_{kind}", share)

    def _on_rollout_start(self) -> None:
        self._between_updates()
        if self.interrupt.wanted or self.trainer.late:
            self._save()
            raise Stop

    def _on_training_end(self) -> None:
        self._between_updates()
        self._save()

    def _between_updates(self) -> None:
        trainer = self.trainer
        if self.num_timesteps > trainer.noted:
            self._note_curve()
            if self.num_timesteps >= trainer.snapshot_due:
                trainer.take_snapshot()
            trainer.pool.shuffle()
        if perf_counter() - self.saved > CHECKPOINT_SECONDS:
            self._save()

    def _note_curve(self) -> None:
        trainer = self.trainer
        (steps, then), now = self.marked, perf_counter()
        self.marked = (self.num_timesteps, now)
        fps = (self.num_timesteps - steps) / (now - then)
        learned = {
            name.removeprefix("train/"): float(value)
            for name, value in self.logger.name_to_value.items()
            if name.startswith("train/")
        }
        figures = trainer.figures()
        head = {"steps": self.num_timesteps, "seconds": round(trainer.elapsed, 2), "fps": round(fps, 1)}
        trainer.run.add_curve({**head, **figures, "illegal_actions": trainer.illegal, **learned})
        trainer.noted = self.num_timesteps
        against = ", ".join(f"{share:.0%} of {kind}" for kind, share in figures["won"].items())
        self.bar.tell(f"{fps:,.0f}/s, mean {figures['mean_result']:+.2f}, won {against}")

    def _save(self) -> None:
        self.trainer.save()
        self.saved = perf_counter()
