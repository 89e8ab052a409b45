use std::env::var;

use oauth2::basic::BasicClient;
use oauth2::{AccessToken, ClientId, ClientSecret, IntrospectionUrl, TokenIntrospectionResponse};
use tiny_http::{Response, Server};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = BasicClient::new(ClientId::new(var("CLIENT_ID")?))
        .set_client_secret(ClientSecret::new(var("CLIENT_SECRET")?))
        .set_introspection_url(IntrospectionUrl::new(format!("{}/introspect", var("GATEHOUSE")?))?);
    let agent = ureq::agent();
    let server = Server::http(format!("127.0.0.1:{}", var("PORT")?)).expect("a free port");
    for request in server.incoming_requests() {
        let header = request.headers().iter().find(|header| header.field.equiv("Authorization"));
        let token = header.and_then(|header| header.value.as_str().strip_prefix("Bearer ")).unwrap_or("none");
        let answer = match client.introspect(&AccessToken::new(token.to_string())).request(&agent) {
            Ok(found) if found.active() => Response::from_string(found.sub().unwrap_or_default()),
            Ok(_) => Response::from_string("a valid token is required").with_status_code(401),
            Err(_) => Response::from_string("tokens cannot be checked now").with_status_code(503),
        };
        request.respond(answer)?;
    }
    Ok(())
}
