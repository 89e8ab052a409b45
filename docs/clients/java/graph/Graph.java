package graph;

import java.util.List;
import java.util.Map;
import org.springframework.graphql.client.FieldAccessException;
import org.springframework.graphql.client.HttpSyncGraphQlClient;
import org.springframework.web.client.RestClient;

public final class Graph {
    record Role(String roleId, String name, int revision) {}

    public static void main(String[] arguments) {
        var http = RestClient.builder()
            .baseUrl(System.getenv("GATEHOUSE") + "/graphql")
            .defaultHeaders(headers -> headers.setBearerAuth(System.getenv("ADMIN_TOKEN")))
            .build();
        var graph = HttpSyncGraphQlClient.create(http);

        Role created = graph.document("""
                mutation Create($input: CreateRoleInput!) { createRole(input: $input) { roleId name revision } }""")
            .variable("input", Map.of("roleId", "java-guest", "name", "Guest"))
            .retrieveSync("createRole").toEntity(Role.class);
        List<Role> roles = graph.document("""
                query Roles($text: String!) { roles(filter: { name: { eq: $text } }) { nodes { roleId name revision } } }""")
            .variable("text", "Guest")
            .retrieveSync("roles.nodes").toEntityList(Role.class);
        System.out.println(roles.contains(created));

        try { // somebody else has changed it since it was read
            graph.document("""
                    mutation Update($seen: Int!) { updateRole(roleId: "java-guest", input: { name: "G" }, ifRevision: $seen) { roleId } }""")
                .variable("seen", created.revision() + 1)
                .retrieveSync("updateRole").toEntity(Role.class);
        } catch (FieldAccessException error) {
            System.out.println(error.getResponse().getErrors().get(0).getExtensions().get("code"));
        }
    }
}
