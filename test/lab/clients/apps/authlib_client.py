"""Authlib: the code flow with PKCE, the ID token's signature and claims, userinfo, and renewal."""
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken

client = json.loads(os.environ["CLIENT"])
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
session = OAuth2Session(
    client["id"],
    client["secret"],
    scope="openid profile email offline_access",
    redirect_uri=client["url"] + "/callback",
    code_challenge_method="S256",
)
metadata = session.get(client["issuer"] + "/.well-known/openid-configuration", withhold_token=True).json()
verifier, nonce = generate_token(48), generate_token()
address, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
)


def finish(path):
    token = session.fetch_token(
        metadata["token_endpoint"],
        authorization_response=client["url"] + path,
        state=state,
        code_verifier=verifier,
    )
    keys = JsonWebKey.import_key_set(session.get(metadata["jwks_uri"], withhold_token=True).json())
    claims = jwt.decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options={"iss": {"value": metadata["issuer"]}, "aud": {"value": client["id"]}},
        claims_params={"nonce": nonce, "access_token": token["access_token"]},
    )
    claims.validate(leeway=30)
    said = session.get(metadata["userinfo_endpoint"]).json()
    renewed = session.refresh_token(metadata["token_endpoint"], token["refresh_token"])
    return {
        "sub": claims["sub"],
        "name": said["name"],
        "email": said["email"],
        "isRenewed": renewed["access_token"] != token["access_token"],
    }


class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/login":
            self.send_response(302)
            self.send_header("location", address)
            self.end_headers()
            return
        answer = json.dumps(finish(self.path)).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", client["port"]), Pages)
print("ready", flush=True)
server.serve_forever()
