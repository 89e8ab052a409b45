import json
import os

from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT, private_key_jwt_sign

TOKEN_ENDPOINT = os.environ["GATEHOUSE"] + "/token"


class ShortLivedJWT(PrivateKeyJWT):
    """Authlib's own JWTs live for an hour; Gatehouse accepts five minutes."""

    def sign(self, auth, token_endpoint):
        key = json.loads(auth.client_secret)
        header = {"kid": key["kid"]}
        return private_key_jwt_sign(key, auth.client_id, token_endpoint, alg="ES256", header=header, expires_in=60)


session = OAuth2Session(
    os.environ["KEY_CLIENT_ID"], os.environ["CLIENT_KEY"], token_endpoint_auth_method=ShortLivedJWT(TOKEN_ENDPOINT)
)
tokens = session.fetch_token(
    TOKEN_ENDPOINT,
    grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token=os.environ["ID_TOKEN"],
    subject_token_type="urn:ietf:params:oauth:token-type:id_token",
    profileId=os.environ["PROFILE_ID"],
)
renewed = session.refresh_token(TOKEN_ENDPOINT, tokens["refresh_token"])
print(renewed["token_type"], renewed["expires_in"])
