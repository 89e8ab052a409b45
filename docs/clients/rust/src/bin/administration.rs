use std::env::var;

use serde::Deserialize;
use serde_json::json;
use ureq::Request;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Application {
    application_guid: String,
    name: String,
}

#[derive(Deserialize)]
struct Mapping {
    state: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (base, token) = (format!("{}/api/applications", var("GATEHOUSE")?), var("ADMIN_TOKEN")?);
    let call = |method: &str, url: &str| -> Request {
        ureq::request(method, url).set("Authorization", &format!("Bearer {token}")).set("api-version", "1.0")
    };
    let body = json!({ "name": "Gate", "iconDefault": "gate.svg", "iconHover": "gate-hover.svg", "appType": "web",
        "renderingMode": "page", "linkType": "internal" });
    let created: Application = call("POST", &base).send_json(body)?.into_json()?;
    println!("{}", created.name);

    let scopes = var("ACCESS_SCOPES")?;
    let items: Vec<_> = scopes.split(',').map(|scope| json!({ "accessScopeGuid": scope })).collect();
    let mappings = format!("{base}/{}/accessScopes", created.application_guid);
    let added: Vec<Mapping> = call("POST", &mappings).send_json(items)?.into_json()?;
    println!("{} {}", added.len(), added[0].state);
    Ok(())
}
