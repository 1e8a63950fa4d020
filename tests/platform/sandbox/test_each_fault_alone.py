"""Each fault alone, in many seeds, against `segue serve`: nothing is lost and nothing double.

One server a fault and store. A seed is one conversation, or one callback, of ids of its own, and
always has the fault. `SEEDS` of the environment is how many there are.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.cli.server import Serving
from tests.server.stores.conftest import address, server
from tests.testing.platform_programs import Good

import segue
from segue.cli.hook_backend import store_view
from segue.platform.sandbox import FAULTS, FaultPlace, FaultPlan
from segue.testing import TestSandbox, over_http
from segue.testing.conversation_run import ConversationOptions, ConversationRun
from segue.testing.platform_program import ACTIONS, PlatformStep, failure_of, steps_of

__all__ = ["address", "server"]

pytestmark = pytest.mark.slow
SEEDS = int(os.environ.get("SEEDS", "200"))

REPORTED = {"callback-twice": ["SG601"], "callback-unknown-value": ["SG701"]}
"""What is found of a callback with a fault."""


def of(place: FaultPlace) -> list[str]:
    return [name for name, row in FAULTS.items() if row.place is place]


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        found: str = request.getfixturevalue("address")
        return found
    return f"sqlite:{tmp_path / 'segue.db'}"


@pytest.fixture
def serving(store: str, tmp_path: Path) -> Iterator[Serving]:
    with Serving(tmp_path, "--no-auth", "--quiet", f"--store={store}") as started:
        assert started.url
        yield started


@pytest.mark.parametrize("fault", of(FaultPlace.CONVERSATION))
def test_a_fault_of_deliveries_is_survived_in_every_seed(
    fault: str, store: str, serving: Serving
) -> None:
    """What is compared: each answer, the store's view of each conversation, and its journal."""
    backend = over_http(serving.url, view=store_view(store))
    made = 0
    for seed in range(SEEDS):
        plan = FaultPlan({fault: 1.0}, seed)
        run = ConversationRun(backend, options=ConversationOptions(seed=seed), faults=plan)
        verdict = run.run(1)
        made += plan.counts[fault]
        assert verdict.survived, f"seed {seed}\n{verdict}"

    assert made >= SEEDS * 0.7  # a transfer must be there to be retyped


@pytest.mark.parametrize("fault", of(FaultPlace.CALLBACK))
def test_a_fault_of_callbacks_is_survived_in_every_seed(
    fault: str, store: str, serving: Serving
) -> None:
    """A notification is known once, however it came: the call, and each finding."""
    ended: dict[str, str] = {}
    for seed in range(SEEDS):
        plan = FaultPlan({fault: 1.0}, seed)
        with TestSandbox(seed=seed, faults=plan) as sandbox:
            call = sandbox.client().calls.start(
                bot="st-1",
                target=f"tel:+4930{seed:03}{Random(seed).randrange(6)}",
                caller="4711",
                notify_url=f"{serving.url}/notifications/st-1",
            )
            sandbox.advance("20m")
            assert not plan.failures, f"seed {seed}: {plan.failures}"
            assert plan.counts[fault] == 1
            ended[str(call.call_id)] = sandbox.state.get("calls", str(call.call_id))["status"]

    assert len(ended) == SEEDS
    with segue.Processor(store=segue.open_store(store)) as processor:
        for identity, status in ended.items():
            found = processor.conversation(identity)
            if fault == "callback-never":
                assert found is None
                continue
            assert found is not None, identity
            report = found.report
            codes = [each.code for each in report.findings]
            assert codes == REPORTED.get(fault, []), f"{identity}: {report.findings}"
            if fault != "callback-unknown-value":
                assert report.call is not None
                assert report.call["state"] == status, identity


@pytest.mark.parametrize("fault", of(FaultPlace.ANSWER))
def test_a_fault_of_answers_is_survived_by_the_client_in_every_seed(fault: str) -> None:
    """The client of this package, in stories of many steps with this fault in some."""
    possible = {action: [step for step in steps_of(action) if step.fault in ("", fault)]
                for action, row in ACTIONS.items() if fault in row.faults}  # fmt: skip
    if not possible:
        pytest.skip("no step of a program has it; the client's own tests do")
    steps = [step for each in possible.values() for step in each]
    with_fault = [step for step in steps if step.fault]
    for seed in range(SEEDS):
        random = Random(seed)
        story: list[PlatformStep] = [random.choice(with_fault), *random.choices(steps, k=4)]
        random.shuffle(story)
        found = failure_of(story, Good)
        assert found is None, f"seed {seed}: {found}"
