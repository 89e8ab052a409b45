import os

import requests
from flask import Flask, abort, request

app = Flask(__name__)
client = (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])


@app.get("/measurements")
def measurements():
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    answer = requests.post(os.environ["GATEHOUSE"] + "/introspect", auth=client, data={"token": token or "none"}, timeout=10)
    answer.raise_for_status()
    claims = answer.json()
    if not claims["active"]:
        abort(401)
    return {"user": claims["sub"], "scopes": claims["scopes"]}


app.run(port=int(os.environ["PORT"]))
