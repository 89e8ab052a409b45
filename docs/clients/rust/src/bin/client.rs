use std::env::var;

use oauth2::basic::{BasicClient, BasicErrorResponse, BasicTokenResponse};
use oauth2::{ClientId, ClientSecret, HttpClientError, HttpRequest, RefreshToken, RequestTokenError, SyncHttpClient, TokenResponse, TokenUrl};
use uuid::Uuid;

type Failure = Box<dyn std::error::Error>;

fn exchange(id_token: &str, profile_id: &str) -> Result<BasicTokenResponse, Failure> {
    let answer = ureq::post(&format!("{}/token", var("GATEHOUSE")?)).send_form(&[
        ("client_id", &var("CLIENT_ID")?),
        ("client_secret", &var("CLIENT_SECRET")?),
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("subject_token", id_token),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"),
        ("profileId", profile_id),
    ])?;
    Ok(answer.into_json()?)
}

/// Store the key beside the token before the first try: with both, the renewal can be repeated until its answer arrives.
fn renew(token: &RefreshToken, key: &str) -> Result<BasicTokenResponse, Failure> {
    let client = BasicClient::new(ClientId::new(var("CLIENT_ID")?))
        .set_client_secret(ClientSecret::new(var("CLIENT_SECRET")?))
        .set_token_uri(TokenUrl::new(format!("{}/token", var("GATEHOUSE")?))?);
    let agent = ureq::agent();
    let with_key = |mut request: HttpRequest| {
        request.headers_mut().insert("idempotency-key", key.parse().expect("a header"));
        agent.call(request)
    };
    match client.exchange_refresh_token(token).request(&with_key) {
        Ok(tokens) => Ok(tokens),
        // ureq takes a status of 4xx for an error of its own
        Err(RequestTokenError::Request(HttpClientError::Reqwest(error))) => match *error {
            ureq::Error::Status(_, answer) => Err(answer.into_json::<BasicErrorResponse>()?.error().as_ref().into()),
            other => Err(other.into()),
        },
        Err(error) => Err(error.into()),
    }
}

fn main() -> Result<(), Failure> {
    let tokens = exchange(&var("ID_TOKEN")?, &var("PROFILE_ID")?)?;
    let first = tokens.refresh_token().ok_or("no renewal token")?;
    let key = Uuid::new_v4().to_string();
    let lost = renew(first, &key)?;
    let renewed = renew(first, &key)?;
    let secret = |tokens: &BasicTokenResponse| tokens.refresh_token().map(|token| token.secret().clone());
    println!("{} {}", renewed.token_type().as_ref(), secret(&renewed) == secret(&lost));

    // a renewal token works once: sign in again
    if let Err(error) = renew(first, &Uuid::new_v4().to_string()) {
        println!("{error}");
    }
    Ok(())
}
