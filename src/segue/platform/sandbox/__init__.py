"""A stateful simulation of the platform, with its endpoints, callbacks and a clock."""

from segue.platform.sandbox.app import Sandbox
from segue.platform.sandbox.clock import START, SandboxClock
from segue.platform.sandbox.faults import FAULTS, Fault, FaultPlace, FaultPlan, TruthLine
from segue.platform.sandbox.outgoing import PostSender, SentPost, post_to_loopback

__all__ = ["FAULTS", "START", "Fault", "FaultPlace", "FaultPlan", "PostSender", "Sandbox",
           "SandboxClock", "SentPost", "TruthLine", "post_to_loopback"]  # fmt: skip
