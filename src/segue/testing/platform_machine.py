"""A state machine that runs a program that uses the platform beside the sandbox.

The program dials, transfers, lists, is called back and receives conversations, with at most one
fault a step. A failure shows the shortest story that was found, not the steps.
"""

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
    """Runs your program beside the sandbox.

    Define `connect` in a subclass, and let pytest collect its `TestCase`:

        class Machine(PlatformMachine):
            def connect(self, sandbox: TestSandbox) -> PlatformProgram:
                return MyProgram(sandbox.client())

        TestProgram = Machine.TestCase
        TestProgram.settings = STEPS

    A program that calls over HTTP uses `sandbox.url` and `sandbox.token`. It must wait as long as
    `Retry-After` says, which here takes no time.
    """

    faults: ClassVar[bool] = True
    """Whether the platform makes mistakes."""

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
        """Return your program, new, which your subclass defines."""
        del sandbox
        msg = f"{type(self).__name__} does not say what the program is: define connect()"
        raise ConfigurationError(msg)

    def teardown(self) -> None:
        """Let time pass, and compare what the program knows."""
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
        """Do a step that the program can take part in."""
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
            "\n".join(("the program went wrong in this story", *lines, "", f"  {what}"))
        )
