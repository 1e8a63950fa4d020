"""The platform on one machine: its endpoints with state, its callbacks, and a clock of its own."""

from segue.sandbox.app import Sandbox
from segue.sandbox.clock import START, SandboxClock
from segue.sandbox.faults import FAULTS, Fault, FaultPlace, FaultPlan, TruthLine
from segue.sandbox.outgoing import PostSender, SentPost, post_to_loopback

__all__ = ["FAULTS", "START", "Fault", "FaultPlace", "FaultPlan", "PostSender", "Sandbox",
           "SandboxClock", "SentPost", "TruthLine", "post_to_loopback"]  # fmt: skip
