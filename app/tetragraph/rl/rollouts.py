"""Rollouts: several episodes for each of many questions, in the forms that trainers read.

Forms of a row:

``episodes``: the fields of :class:`Episode`, with the question's id and accepted answers.

``trl``: ``prompt`` and ``completion`` as lists of messages, as TRL's trainers read conversations; the policy is the
assistant, the knowledge a message of the user, so that ``assistant_only_loss`` masks the environment. With ``reward``,
``question``, ``answers``, ``group`` (the question's id) and ``sample``.

``verl``: ``data_source``, ``prompt``, ``ability``, ``reward_model`` and ``extra_info`` as verl's data sets have them;
``extra_info`` has ``responses``, the same messages, and ``response_mask``, 1 for those of the policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from tetragraph.connection import Connection
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.llm.operation import map_ordered
from tetragraph.model.episodes import Episode
from tetragraph.model.results import Results
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.progress import Progress
from tetragraph.rl.episodes import EpisodeRequest, EpisodeRunner
from tetragraph.rl.reward import check_rewarded
from tetragraph.rl.rollout_files import write_rows
from tetragraph.validation import check_integer, check_one_of

GROUP: Final = 8
"""Default number of episodes for each question. The paper has none: its batch of 128 counts questions."""
STAGE: Final = "rollouts"
Form = Literal["episodes", "trl", "verl"]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rollout:
    """One episode of a group.

    Attributes:
        question: The question, with its accepted answers.
        episode: The episode, with its reward.
    """

    question: GoldQuestion
    episode: Episode

    def row(self, form: Form) -> Row:
        """The episode as types of JSON, in a form of the module's docstring.

        Raises:
            InvalidInput: there is no such form.
        """
        check_one_of("form", form, get_args(Form))
        return {"episodes": self._plain, "trl": self._trl, "verl": self._verl}[form]()

    def _plain(self) -> Row:
        return {"id": self.question.id, "answers": list(self.question.answers), **self.episode.to_dict()}

    def _trl(self) -> Row:
        prompt, completion = self._messages()
        return {
            "prompt": prompt,
            "completion": completion,
            "reward": self._reward(),
            "question": self.question.text,
            "answers": list(self.question.answers),
            "group": self.question.id,
            "sample": self.episode.sample,
        }

    def _verl(self) -> Row:
        prompt, completion = self._messages()
        return {
            "data_source": "tetragraph",
            "prompt": prompt,
            "ability": "multi-hop-qa",
            "reward_model": {"style": "rule", "ground_truth": list(self.question.answers)},
            "extra_info": {
                "index": self.question.id,
                "sample": self.episode.sample,
                "question": self.question.text,
                "responses": completion,
                "response_mask": [int(message["role"] == "assistant") for message in completion],
                "reward": self._reward(),
            },
        }

    def _messages(self) -> tuple[list[Row], list[Row]]:
        """The prompt, and the rest of the conversation."""
        roles = {"policy": "assistant", "environment": "user"}
        system, user = self.episode.prompt
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        rest = self.episode.segments[len(prompt) :]
        return prompt, [{"role": roles[one.speaker], "content": one.text} for one in rest]

    def _reward(self) -> float:
        return self.episode.reward.total if self.episode.reward else 0.0


@dataclass(frozen=True, slots=True)
class RolloutRequest:
    """Episodes for many questions.

    Attributes:
        questions: Questions with accepted answers.
        episode: What is common to all episodes; its question and answers are replaced.
        group: Number of episodes for each question, ``N`` of the paper.
    """

    questions: Sequence[GoldQuestion]
    episode: EpisodeRequest
    group: int = GROUP

    def __post_init__(self) -> None:
        """Check the questions and the size of the group."""
        check_integer("group", self.group, 1)
        check_rewarded(self.questions)

    def requests(self) -> Iterator[tuple[GoldQuestion, EpisodeRequest]]:
        """Yield each question with one of its episodes, the group of a question together."""
        first = self.episode.episode.sample
        for question in self.questions:
            for sample in range(first, first + self.group):
                episode = replace(self.episode.episode, sample=sample)
                asked = replace(self.episode, question=question.text, accepted=question.answers, episode=episode)
                yield question, asked


@dataclass(frozen=True, slots=True, repr=False)
class Rollouts(Results[Rollout]):
    """The episodes of many questions: a sequence of rollouts, those of a question together.

    Attributes:
        rollouts: Rollouts in order of the questions, then of the samples.
        usage: Language model usage of all of them.
    """

    rollouts: tuple[Rollout, ...]
    usage: Usage = NOTHING

    @property
    def _found(self) -> tuple[Rollout, ...]:
        return self.rollouts

    @property
    def means(self) -> Mapping[str, float]:
        """Means over the episodes: ``reward``, ``format``, ``answer`` (F1 of the answers), ``turns``, ``answered``."""
        rewards = [one.episode.reward for one in self if one.episode.reward]
        columns: dict[str, list[float]] = {
            "reward": [one.total for one in rewards],
            "format": [one.format for one in rewards],
            "answer": [one.answer for one in rewards],
            "turns": [len(one.episode.turns) for one in self],
            "answered": [bool(one.episode.answer) for one in self],
        }
        return {name: sum(values) / len(values) for name, values in columns.items()}

    def write(self, file: str | Path, form: Form = "trl") -> None:
        """Write one row for each rollout, as JSON Lines or, if the name ends in ``.parquet``, as a table.

        Args:
            file: The file; replaced if it exists.
            form: Form of a row: ``episodes``, ``trl`` or ``verl``.

        Raises:
            InvalidInput: there is no such form, the name ends in neither ``.jsonl`` nor ``.parquet``, or there can be
                no such file.
            MissingDependency: Parquet needs the extra ``analytics``.
            StoreError: the disk is full, or another resource is used up.
        """
        write_rows([one.row(form) for one in self], Path(file))

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {value:.2f}" for name, value in self.means.items())
        return f"Rollouts({len(self)} episodes: {means})"


def run_rollouts(connection: Connection, request: RolloutRequest, progress: Progress) -> Rollouts:
    """Run the rollouts, several episodes at once; see ``Corpus.rollouts``."""
    common = request.episode
    llm = connection.operation("rollouts", common.corpus, common.budget)

    def run(item: tuple[GoldQuestion, EpisodeRequest]) -> Rollout:
        question, asked = item
        return Rollout(question, EpisodeRunner(connection, asked, llm=llm).run())

    found: list[Rollout] = []
    progress.start(STAGE, request.group * len(request.questions), "episodes")
    for rollout in map_ordered(run, request.requests(), connection.settings.llm_concurrency):
        found.append(rollout)
        progress.advance(STAGE)
    progress.finish(STAGE)
    return Rollouts(tuple(found), llm.usage)
