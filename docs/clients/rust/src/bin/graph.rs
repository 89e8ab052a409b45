use std::env::var;

use graphql_client::{GraphQLQuery, Response};

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "operations.graphql", skip_serializing_none)]
struct CreateRole;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "operations.graphql")]
struct Roles;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "operations.graphql")]
struct RenameRole;

type Failure = Box<dyn std::error::Error>;

/// An answer with a status of 4xx has the errors in its body too.
fn ask<Query: GraphQLQuery>(variables: Query::Variables) -> Result<Response<Query::ResponseData>, Failure> {
    let request = ureq::post(&format!("{}/graphql", var("GATEHOUSE")?))
        .set("Authorization", &format!("Bearer {}", var("ADMIN_TOKEN")?));
    match request.send_json(Query::build_query(variables)) {
        Ok(answer) | Err(ureq::Error::Status(_, answer)) => Ok(answer.into_json()?),
        Err(error) => Err(error.into()),
    }
}

fn main() -> Result<(), Failure> {
    let input = create_role::CreateRoleInput {
        role_id: "rust-guest".into(),
        name: "Guest".into(),
        description: None,
    };
    let created = ask::<CreateRole>(create_role::Variables { input })?.data.and_then(|data| data.create_role).ok_or("not created")?;
    let roles = ask::<Roles>(roles::Variables { name: "Guest".into() })?.data.ok_or("no answer")?.roles;
    println!("{} {}", roles.nodes.len(), roles.nodes[0].role_id == created.role_id);

    // somebody else has changed it since it was read
    let variables = rename_role::Variables {
        role_id: "rust-guest".into(),
        name: "G".into(),
        if_revision: Some(created.revision + 1),
    };
    let errors = ask::<RenameRole>(variables)?.errors.unwrap_or_default();
    println!("{}", errors[0].extensions.as_ref().and_then(|each| each["code"].as_str()).unwrap_or("none"));
    Ok(())
}
