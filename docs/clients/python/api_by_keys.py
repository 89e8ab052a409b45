import os

import jwt
from flask import Flask, abort, request

keys = jwt.PyJWKClient(os.environ["GATEHOUSE"] + "/.well-known/jwks.json")  # once, not for each request
app = Flask(__name__)


def covers(scopes: list[str], scope: str) -> bool:
    """Whether the entries of "scopes" include the scope, or the wildcard of its type."""
    return scope in scopes or scope.split(":", 1)[0] + ":*" in scopes


def claims_of(header: str) -> dict:
    try:
        token = header.removeprefix("Bearer ")
        key = keys.get_signing_key_from_jwt(token)
        return jwt.decode(token, key, algorithms=["ES256"], audience="GRID", issuer=os.environ["ISSUER"])
    except jwt.PyJWTError:
        abort(401)


@app.get("/measurements")
def measurements():
    claims = claims_of(request.headers.get("Authorization", ""))
    if not covers(claims["scopes"], "site:north"):
        abort(403)
    return {"user": claims["sub"], "profile": claims["profileId"]}


app.run(port=int(os.environ["PORT"]))
