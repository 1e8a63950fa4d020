#!/usr/bin/env bash
# Two of four JWT libraries reject a valid token when two keys of a JWK set share a key id.
#
# Versions: PyJWT 2.15.1, joserfc 1.8.0, jwcrypto 1.6.1, jose 6.2.18 (npm).
# RFC 7517 (4.5) has an example in which keys share a `kid`: keys of different types (RSA and EC)
# that are equivalent alternatives, as during a change from RS256 to ES256. The token below is
# signed with ES256. PyJWT and joserfc take the first key with its id, and fail if that is the RSA
# key. jwcrypto and jose find the EC key. All four accept the same set in the other order.
# Output: RSA first: rejected by PyJWT, joserfc; EC first: rejected by nobody
# Why care: the publisher of the keys tests with one library, and the receivers of its webhooks use
# others. The order of a list that has no order decides who can read the events.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  'pyjwt[crypto]==2.15.1' joserfc==1.8.0 jwcrypto==1.6.1
npm install --silent --no-audit --no-fund --prefix "$work" jose@6.2.18
cd "$work"
cat >verify.mjs <<'EOF'
import { createLocalJWKSet, jwtVerify } from "jose";
await jwtVerify(process.argv[2], createLocalJWKSet(JSON.parse(process.argv[3])));
EOF
env/bin/python - <<'EOF'
import json
import subprocess
import sys

import jwt
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet
from jwcrypto.jwk import JWK, JWKSet
from jwcrypto.jwt import JWT

ec, rsa = JWK.generate(kty="EC", crv="P-256", kid="1"), JWK.generate(kty="RSA", size=2048, kid="1")
token = jwt.encode({"sub": "pbx"}, ec.export_to_pem(True, None), "ES256", headers={"kid": "1"})


def with_pyjwt(keys):
    client = jwt.PyJWKClient("https://login.example/jwks.json")
    client.fetch_data = lambda: json.loads(keys)
    jwt.decode(token, client.get_signing_key_from_jwt(token), algorithms=["ES256"])


def with_joserfc(keys):
    joserfc_jwt.decode(token, KeySet.import_key_set(json.loads(keys)), ["ES256"])


def with_jwcrypto(keys):
    JWT(jwt=token, key=JWKSet.from_json(keys))


def with_jose(keys):
    subprocess.run(["node", "verify.mjs", token, keys], check=True, capture_output=True)


for first, second, expected in (rsa, ec, ["PyJWT", "joserfc"]), (ec, rsa, []):
    keys, rejected = json.dumps({"keys": [first.export_public(True), second.export_public(True)]}), []
    for verify in with_pyjwt, with_joserfc, with_jwcrypto, with_jose:
        try:
            verify(keys)
        except Exception:
            rejected.append({"pyjwt": "PyJWT"}.get(verify.__name__[5:], verify.__name__[5:]))
    print(f"{first['kty']} first: rejected by {', '.join(rejected) or 'nobody'}")
    if rejected != expected:
        sys.exit("the behavior has changed")
EOF
