import os
import uuid

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

TOKEN_ENDPOINT = os.environ["GATEHOUSE"] + "/token"
session = OAuth2Session(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"], token_endpoint_auth_method="client_secret_basic")

tokens = session.fetch_token(
    TOKEN_ENDPOINT,
    grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token=os.environ["ID_TOKEN"],
    subject_token_type="urn:ietf:params:oauth:token-type:id_token",
    profileId=os.environ["PROFILE_ID"],
)


def renew(token: str, key: str) -> dict:
    """Store the key beside the token before the first try: with both, the renewal can be repeated until its answer arrives."""
    return session.refresh_token(TOKEN_ENDPOINT, token, headers={"Idempotency-Key": key})


key = str(uuid.uuid4())
lost = renew(tokens["refresh_token"], key)
renewed = renew(tokens["refresh_token"], key)
print(renewed["token_type"], renewed["refresh_token"] == lost["refresh_token"])
try:
    renew(tokens["refresh_token"], str(uuid.uuid4()))  # a renewal token works once
except OAuthError as error:
    print(error.error)  # sign in again
