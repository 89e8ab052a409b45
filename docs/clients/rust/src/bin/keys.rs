use std::env::var;

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{decode, decode_header, Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use tiny_http::{Request, Response, Server};

#[derive(Deserialize)]
struct Claims {
    sub: String,
    scopes: Vec<String>,
}

/// Whether the entries of "scopes" include the scope, or the wildcard of its type.
fn covers(scopes: &[String], scope: &str) -> bool {
    let kind = scope.split(':').next().unwrap_or_default();
    scopes.iter().any(|each| each == scope || *each == format!("{kind}:*"))
}

fn claims_of(request: &Request, keys: &JwkSet, issuer: &str) -> Option<Claims> {
    let header = request.headers().iter().find(|header| header.field.equiv("Authorization"))?;
    let token = header.value.as_str().strip_prefix("Bearer ")?;
    let key = keys.find(&decode_header(token).ok()?.kid?)?;
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_audience(&["GRID"]);
    validation.set_issuer(&[issuer]);
    validation.set_required_spec_claims(&["exp", "aud", "iss"]);
    Some(decode(token, &DecodingKey::from_jwk(key).ok()?, &validation).ok()?.claims)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // once, not for each request; a service that runs for weeks reads them again for an unknown kid
    let keys: JwkSet = ureq::get(&format!("{}/.well-known/jwks.json", var("GATEHOUSE")?)).call()?.into_json()?;
    let issuer = var("ISSUER")?;
    let server = Server::http(format!("127.0.0.1:{}", var("PORT")?)).expect("a free port");
    for request in server.incoming_requests() {
        let answer = match claims_of(&request, &keys, &issuer) {
            None => Response::from_string("a valid token is required").with_status_code(401),
            Some(claims) if !covers(&claims.scopes, "site:north") => {
                Response::from_string("site:north is required").with_status_code(403)
            }
            Some(claims) => Response::from_string(claims.sub),
        };
        request.respond(answer)?;
    }
    Ok(())
}
