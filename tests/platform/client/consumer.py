"""A program that uses every method of the client, as type checkers read it."""

from datetime import UTC, datetime, timedelta

from segue.platform.client import AsyncClient, Client

SINCE, UNTIL = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC)
WITHIN = timedelta(minutes=10)


def use_every_method(client: Client) -> list[str | None]:
    """Call each endpoint once, and return an id or a text of each answer."""
    paused = client.transcription.control(
        bot="st-1", conversation="c-1", action="pause", agent="a-1", handover=True
    )
    call = client.calls.start(bot="st-1", target="tel:+4930123", caller="4711")
    queue = client.queues.create(stream="st-1", name="Billing", hours="h-1")
    changed = client.queues.update(stream="st-1", queue="qu-1", extra={"name": "Sales"})
    skills = client.skill_groups.update(stream="st-1", skill_group="5f01", name="Languages")
    managers = [{"user_id": "u-1", "access_level": "full"}]
    group = client.agent_groups.update(
        stream="st-1", agent_group="ag-1", name="Night", description="", managers=managers
    )
    user = {"name": "Ada", "email_id": "ada@example.com"}
    task = client.tasks.create(
        stream="st-1", case="ci-1", case_ref="C1", template="ttm-1", user=user, source="rtm",
        desc="Call back",
    )  # fmt: skip
    moved = client.conversations.assign(
        stream="st-1",
        org="o-1",
        session="5e01",
        queue=queue.id or "qu-1",
        callback_url="https://h/t",
    )
    sent = client.conversations.send(bot="st-1", extra={"conversationId": "c-1"})
    contacts = client.contact_lists.create(app="st-1", name="March", description="")
    added = client.contact_lists.add(
        app="st-1", contact_list_name="March", contacts=[{"phone_number": "+4930123"}]
    )
    users = client.users.create(users=[{"user_info": {"email_id": "ada@example.com"}}])
    hours = client.hours.get(org="o-1", queue="qu-1")
    training = client.training.wait(client.training.start(bot="st-1"), within=WITHIN)
    status = client.training.get(bot="st-1", job="fjg-1")
    imported = client.bots.wait(client.bots.import_status(request="bir-1"), within=WITHIN)
    suite = client.test_suites.upload(bot="st-1", file_name="f", delimiter=",", description="")
    faqs = client.faqs.wait(client.faqs.training_status(bot="st-1", language="en"), within=WITHIN)
    campaign = client.campaigns.start(app="st-1", campaign="cd-1")
    languages = client.languages.update(
        version="1.1", bot="st-1", language="de",
        configurations={
            "nlu_language": "en", "input_translation": True, "response_translation": True,
        },
    )  # fmt: skip
    texts: list[str | None] = [flaw.message for flaw in (*paused.flaws, *sent.flaws, *users.flaws)]
    texts += [each.message for each in languages.results or ()]
    texts += [each.name for each in client.queues.list(stream="st-1")]
    texts += [each.first_name for each in client.agents.list(stream="st-1", org="o-1")]
    texts += [each.role for each in client.roles.list(role_type="bot", limit=50)]
    texts += [each.username for each in client.users.roles(limit=50)]
    texts += [each.status for each in client.campaigns.list(app="st-1", kind="voice")]
    texts += [
        each.session_id for each in client.sessions.list(bot="st-1", since=SINCE, until=UNTIL)
    ]
    failed = [each.user_info.email_id for each in users.failed if each.user_info]
    return [
        *texts, *failed, call.call_id, changed.name, skills.color, group.name, task.id,
        moved.status, contacts.data.id if contacts.data else None, added.message, hours.timezone,
        training.status, status.status, imported.status, suite.id, faqs.status,
        campaign.campaign_instance_id,
    ]  # fmt: skip


async def use_awaited_methods(client: AsyncClient) -> list[str | None]:
    """Await what answers once, waits, and answers in pages."""
    started = await client.training.start(bot="st-1")
    job = await client.training.wait(started, within=WITHIN)
    names = [each.name async for each in client.queues.list(stream="st-1")]
    return [job.status, *names]
