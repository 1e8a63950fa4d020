"""The files that other tools read agree with the package and with these tools' schemas."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from tests.report.story import line

import segue
from segue.cli.app import segue as command
from segue.server.adapters.prometheus import PrometheusObserver, StoreCollector
from segue.server.http import DeliverySummary, EffectRecord, RequestRecord

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SERVE = command.get_command(click.Context(command), "serve")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("schema", "file"),
    [("vendor.github-actions", "action.yml"), ("vendor.compose-spec", "compose.yaml")],
)
def test_a_file_follows_the_schema_of_its_tool(schema: str, file: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, file],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_the_dockerfile_has_no_lint() -> None:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None:
        pytest.skip("hadolint is not installed")

    done = subprocess.run(
        [hadolint, "Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "")


def words(text: str) -> list[str]:
    found = json.loads(text)
    assert isinstance(found, list)
    return found


def test_the_image_is_built_from_what_is_there_and_starts_the_server() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    sent = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    (entry,) = re.findall(r"^ENTRYPOINT (.*)", text, re.MULTILINE)
    *_, start = re.findall(r"^CMD (.*)", text, re.MULTILINE)

    for source in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE):
        for name in source.split():
            assert (ROOT / name).exists()
            assert f"!{name}" in sent
    assert words(entry) == ["segue"]
    assert_serves(words(start))


def test_the_image_installs_only_what_is_locked() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    installs = re.findall(r"pip (?:install|wheel) (.*?)(?:&&|$)", text, re.MULTILINE)

    assert [
        ("--require-hashes" in each, "--no-deps" in each, "/wheel" in each) for each in installs
    ] == [
        (True, False, False),  # the requirements of the build
        (True, False, False),  # those of the server
        (False, True, True),  # Segue's wheel is built …
        (False, True, True),  # … and installed
    ]


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "action.yml"])
def test_foreign_images_and_actions_are_pinned_by_digest(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    used = re.findall(r"^\s*(?:FROM|image:|- uses:|uses:) ([^\s]+)", text, re.MULTILINE)

    assert used
    for each in used:
        assert re.search(r"@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$", each), each


def test_the_action_passes_names_of_files_after_the_options() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")

    assert re.search(r"segue check .*\$OPTIONS -- \$LOGS$", text, re.MULTILINE)


def test_compose_starts_the_server_on_its_own_store() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]

    assert_serves(services["segue"]["command"])
    assert "@store/segue" in services["segue"]["environment"]["SEGUE_STORE"]
    assert services["segue"]["depends_on"].keys() == {"store"}
    for service in services.values():
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")


def assert_serves(arguments: list[str]) -> None:
    name, *options = arguments
    assert (name, SERVE is not None) == ("serve", True)
    assert SERVE is not None
    assert SERVE.make_context("serve", options).params["host"] == "0.0.0.0"  # noqa: S104


def test_the_hook_of_pre_commit_installs_what_the_command_needs() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))

    assert hook["additional_dependencies"] == PROJECT["optional-dependencies"]["cli"]
    assert hook["entry"].startswith("segue check ")
    assert re.search(hook["files"], "samples/clean.jsonl")


def test_the_hook_of_pre_commit_reads_all_logs_at_once() -> None:
    """Otherwise pre-commit shuffles the files and starts a process for each part of them."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))

    assert hook["require_serial"] is True


@pytest.mark.skipif(not shutil.which("pre-commit"), reason="pre-commit is not installed")
def test_pre_commit_finds_nothing_in_a_conversation_that_goes_on_from_file_to_file(
    tmp_path: Path,
) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    command = hook["entry"].removeprefix("segue ")
    local = {
        **{key: value for key, value in hook.items() if key != "additional_dependencies"},
        "language": "system",
        "entry": f"{sys.executable} -m segue {command}",
    }
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    texts = ["NA entry a-1", *["user message"] * 20, "NA exit a-1", "END"]
    for number, text in enumerate(texts):
        (tmp_path / f"{number:02}.jsonl").write_text(f"{line(text)}\n")
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
    }
    for words in (["git", "init", "-q"], ["git", "add", "-A"], ["pre-commit", "run", "-a"]):
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

        assert done.returncode == 0, done.stdout + done.stderr


def test_dashboard_and_alerts_read_metrics_that_exist() -> None:
    registry = CollectorRegistry()
    observer = PrometheusObserver(registry)
    registry.register(StoreCollector(segue.MemoryStore()))
    delivery = DeliverySummary("applied", findings=(("SG103", 1),))
    effect = EffectRecord("Save", began=0, seconds=0.1, failed=False)
    observer(RequestRecord("hooks", 200, 0.1, delivery, (effect,)))
    exposed = set(re.findall(r"^(segue_\w+)", generate_latest(registry).decode(), re.MULTILINE))

    for name in ("dashboard.json", "alerts.yml"):
        text = (ROOT / "samples" / "monitoring" / name).read_text("utf-8")
        read = set(re.findall(r"\bsegue_\w+", text))
        assert read
        assert read <= exposed
