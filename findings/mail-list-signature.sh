#!/usr/bin/env bash
# email-reply-parser takes a list in a customer's mail for the signature, and drops it with all that follows.
#
# Version: email-reply-parser 0.5.12 (a port of GitHub's parser, Python); mail-parser-reply 1.36 for comparison.
# The parser keeps what a customer wrote, without the quoted mail and without the signature. A signature
# begins, for it, with a paragraph whose first line starts with a hyphen and a letter or digit, with two
# hyphens or with two underscores. So do a list without spaces after its hyphens, and a negative amount.
# Output: email-reply-parser 'Hello,'; with "- contract" 'Hello,\n\n- contract 4711\n- contract 4712\n\n...';
#         balance 'My balance is'
#         mail-parser-reply 'Hello,\n\n-contract 4711\n-contract 4712\n\nPlease cancel both.'
# Why care: the agent sees a ticket that says "Hello,", and neither the request nor the contracts. Whether
# a customer is heard depends on the space after a hyphen.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  email-reply-parser==0.5.12 mail-parser-reply==1.36
"$work/env/bin/python" - <<'EOP'
import sys

import email_reply_parser
import mailparser_reply

mail = """Hello,

-contract 4711
-contract 4712

Please cancel both.

On Mon, Jun 1, 2026 at 9:00 AM Support <support@example.com> wrote:
> How can we help you?
"""
balance = "My balance is\n\n-20.00 euros\n\nand not zero as your agent told me."
parse = email_reply_parser.EmailReplyParser.parse_reply
read, spaced, amount = (parse(text) for text in (mail, mail.replace("-c", "- c"), balance))
right = mailparser_reply.EmailReplyParser(languages=["en"]).parse_reply(text=mail)
print(f'email-reply-parser {read!r}; with "- contract" {spaced!r}; balance {amount!r}')
print(f"mail-parser-reply {right!r}")
whole = mail.split("\n\nOn Mon")[0]
found = [read.strip(), spaced.strip(), amount.strip(), right.strip()]
if found != ["Hello,", whole.replace("-c", "- c"), "My balance is", whole]:
    sys.exit("the behavior has changed")
EOP
