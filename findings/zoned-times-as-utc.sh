#!/usr/bin/env bash
# Three libraries take 09:00 in Berlin for 09:00 UTC, although the datetime has its time zone.
#
# Versions: standardwebhooks 1.1.0, svix 2.9.1, twilio 9.13.0 (all Python).
# A datetime with a zone names one instant. `sign(msg_id, timestamp, data)` of the webhook
# libraries and filters such as `start_time_after` of Twilio keep its wall time and call it UTC.
# Nothing is sent here: Twilio's HTTP client is replaced by one that keeps the parameters.
# Output: webhook: UTC accepted, Europe/Berlin No matching signature found (svix: the same)
#         twilio: 09:00:00+02:00 asks for calls after 2026-06-01T09:00:00Z
# Why care: a sender works in every test in UTC, and where its clock has another zone all events are
# rejected, with a message that makes one look for a wrong secret. Twilio's reports miss the first
# hours of a shift in Berlin, and in New York contain those before it. No number looks wrong.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  standardwebhooks==1.1.0 svix==2.9.1 twilio==9.13.0 tzdata==2026.6
"$work/env/bin/python" -W ignore - <<'EOF'
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import standardwebhooks
import svix
from twilio.http.http_client import TwilioHttpClient
from twilio.http.response import Response
from twilio.rest import Client

SECRET, BODY = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", '{"event": "agent.exit"}'
results = []
for prefix, webhook in ("webhook", standardwebhooks.Webhook(SECRET)), ("svix", svix.Webhook(SECRET)):
    for zone in ("UTC", "Europe/Berlin"):
        now = datetime.now(ZoneInfo(zone))
        times = {f"{prefix}-id": "m-1", f"{prefix}-timestamp": str(int(now.timestamp()))}
        signature = webhook.sign("m-1", now, BODY)
        try:
            webhook.verify(BODY, {**times, f"{prefix}-signature": signature})
            results.append("accepted")
        except Exception as error:
            results.append(str(error))
        print(f"{prefix}: {zone} {results[-1]}")


class Recorder(TwilioHttpClient):
    def request(self, method, url, params=None, **options):
        results.append(params["StartTime>"])
        return Response(200, '{"calls": [], "next_page_uri": null, "page_size": 50}')


nine = datetime(2026, 6, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))
Client("AC" + "0" * 32, "token", http_client=Recorder()).calls.list(start_time_after=nine)
print(f"twilio: {nine.isoformat()[11:]} asks for calls after {results[-1]}")
if results != ["accepted", "No matching signature found"] * 2 + ["2026-06-01T09:00:00Z"]:
    sys.exit("the behavior has changed")
EOF
