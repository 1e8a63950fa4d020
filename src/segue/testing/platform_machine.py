"""A Hypothesis state machine that tests a program against the simulated platform."""

from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from segue.core.errors import ConfigurationError
from segue.testing.platform_program import (
    ACTIONS,
    PlatformFailure,
    PlatformProgram,
    PlatformRun,
    PlatformStep,
    shortened,
    steps_of,
)
from segue.testing.sandbox_fixture import TestSandbox


class PlatformMachine(RuleBasedStateMachine):
    """A state machine that tests a program that uses the platform.

    Your program starts calls, transfers conversations, lists agents, and receives callbacks and
    conversations, with at most one fault in each step. A failure shows the shortest list of steps
    found that makes the program fail.

    Define `connect` in a subclass, and let pytest collect its `TestCase`:

        class Machine(PlatformMachine):
            def connect(self, sandbox: TestSandbox) -> PlatformProgram:
                return MyProgram(sandbox.client())

        TestProgram = Machine.TestCase
        TestProgram.settings = STEPS

    A program that calls the platform over HTTP uses `sandbox.url` and `sandbox.token`. It must obey
    `Retry-After`, which is always 0 here.
    """

    faults: ClassVar[bool] = True
    """Whether the sandbox makes faults, such as an answer with status 503."""

    def __init__(self) -> None:
        super().__init__()
        self._run = PlatformRun(self.connect)
        self._steps: list[PlatformStep] = []
        self._offered = [
            step
            for action, row in ACTIONS.items()
            if self._run.can(*row.needs)
            for step in steps_of(action)
            if self.faults or not step.fault
        ]

    def connect(self, sandbox: TestSandbox) -> PlatformProgram:
        """Return a new instance of the program under test, which uses the given sandbox.

        Subclasses must override this method, which is called for every example.

        Args:
            sandbox: The sandbox that the program calls.

        """
        del sandbox
        msg = f"{type(self).__name__} has no program: define connect()"
        raise ConfigurationError(msg)

    def teardown(self) -> None:
        """Let 20 minutes pass, and compare the program's calls and transfers with the sandbox."""
        __tracebackhide__ = True
        try:
            if self._steps:
                self._run.settle()
        except PlatformFailure as failure:
            self._fail(str(failure))
        finally:
            self._run.close()

    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        """Perform a random step, chosen among those whose methods the program overrides."""
        __tracebackhide__ = True
        step = data.draw(st.sampled_from(self._offered), label="step")
        self._steps.append(step)
        try:
            self._run.do(step)
        except PlatformFailure as failure:
            self._fail(str(failure))

    def _fail(self, text: str) -> None:
        __tracebackhide__ = True
        taken, self._steps = self._steps, []
        steps, what = shortened(taken, self.connect) or (taken, text)
        lines = [f"  {at:>2}  {step}" for at, step in enumerate(steps)]
        raise AssertionError(
            "\n".join(("the program failed in this story", *lines, "", f"  {what}"))
        )
