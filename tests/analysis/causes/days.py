"""Made-up days with planted causes among noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from segue.analysis.simulate.inject import GeneratorOptions, inject, plain
from segue.analysis.simulate.log import MORNING
from segue.analysis.simulate.mistakes import mistakes_of
from segue.core.findings import RULES, Severity

BOTS = ("st-sales", "st-service", "st-billing")
LANGUAGES = ("de", "en", "fr")
PLANTABLE = ("SG101", "SG103", "SG106", "SG107", "SG112", "SG203", "SG205", "SG504", "SG601")
OPTIONS = GeneratorOptions(
    messages=1.0,
    transcription=True,
    notes=False,
    spellings=True,
    envelopes=True,
    delivery_ids=False,
    calls=False,
)
HOURS = 10


@dataclass(frozen=True)
class Plant:
    """A cause: from a minute of the day on, a share of the conversations have a mistake."""

    code: str
    where: tuple[tuple[str, str], ...]
    minute: int
    share: float


@dataclass
class Day:
    """The lines of a day, and when each planted cause was first to be seen."""

    lines: list[str]
    onsets: dict[Plant, datetime]
    planted: dict[Plant, int]


def plants(random: Random) -> list[Plant]:
    """Return one to three causes of different rules."""
    return [
        Plant(code, _where(random), random.randrange(60, 420), random.choice((0.4, 0.6, 0.8)))
        for code in random.sample(PLANTABLE, random.choice((1, 2, 3)))
    ]


def _where(random: Random) -> tuple[tuple[str, str], ...]:
    bot, language = ("bot", random.choice(BOTS)), ("language", random.choice(LANGUAGES))
    experience = ("experience", random.choice(("chat", "voice")))
    options = ((bot,), (language,), (bot, language), (bot, experience), (bot, language, experience))
    return random.choice(options)


def day(
    seed: int, planted: list[Plant], conversations: int = 1200, noise: float = 0.03, drift: int = 0
) -> Day:
    """Return a day of ten hours; with `drift`, most of the traffic of one bot comes later."""
    random = Random(seed)
    lines: list[tuple[datetime, str]] = []
    found = Day([], {}, dict.fromkeys(planted, 0))
    palette = [rule.code for rule in RULES if rule.severity is not Severity.NOTE]
    for number in range(conversations):
        begins = random.random() * HOURS * 60
        has = {
            "bot": random.choice(BOTS),
            "language": random.choice(LANGUAGES),
            "experience": random.choice(("chat", "voice")),
        }
        if drift and random.random() < begins / (HOURS * 60):
            has["bot"] = BOTS[drift % 3]
        start = MORNING + timedelta(minutes=begins)
        cause = next(
            (
                plant
                for plant in planted
                if begins >= plant.minute
                and set(plant.where) <= has.items()
                and random.random() < plant.share
            ),
            None,
        )
        code = cause.code if cause else random.choice(palette) if random.random() < noise else ""
        sent, at = _conversation(
            f"{seed} {number}", f"{number:05d}", code, has["experience"], start
        )
        lines += _written(sent, has, start)
        if cause is not None:
            seen = (start + timedelta(milliseconds=at)).replace(second=0, microsecond=0)
            found.onsets[cause] = min(found.onsets.get(cause, seen), seen)
            found.planted[cause] += 1
    lines.sort(key=lambda line: line[0])
    found.lines = [text for _, text in lines]
    return found


def _conversation(
    seed: str, name: str, code: str, experience: str, start: datetime
) -> tuple[list[tuple[int, str]], int]:
    """Return a conversation's lines with their times, and the time of its mistake."""
    drawn = plain(OPTIONS, seed, name, start)
    for attempt in range(40):
        if code:
            mistake = mistakes_of(code)[0]
            drawn = inject(OPTIONS, mistake, f"{seed} {attempt}", name, start)
        else:
            drawn = plain(OPTIONS, f"{seed} {attempt}", name, start)
        if f'"{experience}"' in "".join(line.text for line in drawn.sent).replace("\\", "").lower():
            break
    line = drawn.expected[0].line if drawn.expected else None
    return [(sent.at, sent.text) for sent in drawn.sent], drawn.sent[(line or 0) - 1].at


def _written(
    sent: list[tuple[int, str]], has: dict[str, str], start: datetime
) -> Iterator[tuple[datetime, str]]:
    for at, text in sent:
        for quote in ('"', '\\"'):
            for bot in ("st-sales", "st-service"):
                text = text.replace(f"{quote}{bot}{quote}", f"{quote}@{quote}")  # noqa: PLW2901
            text = text.replace(f"{quote}@{quote}", f"{quote}{has['bot']}{quote}")  # noqa: PLW2901
            text = text.replace(  # noqa: PLW2901
                f"{quote}language{quote}: {quote}en{quote}",
                f"{quote}language{quote}: {quote}{has['language']}{quote}",
            )
        yield (start + timedelta(milliseconds=at)).astimezone(UTC), text
