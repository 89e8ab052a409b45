package administration;

import gatehouse.ApiClient;
import gatehouse.ApiException;
import gatehouse.api.ApplicationsApi;
import gatehouse.api.MappingsApi;
import gatehouse.model.AccessScopeApplicationsMapperCreateDTO;
import gatehouse.model.AccessScopeApplicationsMapperDeleteDTO;
import gatehouse.model.AccessScopeApplicationsMapperUpdateDTO;
import gatehouse.model.ApplicationCreateDTO;
import java.util.List;
import java.util.UUID;

public final class Administration {
    public static void main(String[] arguments) throws ApiException {
        var client = new ApiClient();
        client.updateBaseUri(System.getenv("GATEHOUSE"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("ADMIN_TOKEN")));
        var applications = new ApplicationsApi(client);
        var mappings = new MappingsApi(client);
        var scopes = List.of(System.getenv("ACCESS_SCOPES").split(",")).stream().map(UUID::fromString).toList();

        var created = applications.createApplication("1.0", new ApplicationCreateDTO()
            .name("Gate").iconDefault("gate.svg").iconHover("gate-hover.svg")
            .appType("web").renderingMode("page").linkType("internal"), null);
        var guid = created.getApplicationGuid();
        System.out.println(applications.getApplication("1.0", guid).getName());
        var found = applications.listApplications("1.0", "name eq 'Gate'", null, null, null, null, null, null, null, null, null);
        System.out.println(found.get(0).getApplicationResponseDTO().getAppType());

        var added = mappings.createAccessScopes("1.0", guid, scopes.stream()
            .map(scope -> new AccessScopeApplicationsMapperCreateDTO().accessScopeGuid(scope)).toList(), null);
        var changed = mappings.updateAccessScopes("1.0", guid, List.of(
            new AccessScopeApplicationsMapperUpdateDTO().accessScopeGuid(scopes.get(0)).state("planned")), null);
        System.out.println(added.size() + " " + changed.get(0).getState());
        mappings.deleteAccessScope("1.0", guid, scopes.get(0), null);
        mappings.deleteAccessScopes("1.0", guid, List.of(
            new AccessScopeApplicationsMapperDeleteDTO().accessScopeGuid(scopes.get(1))), null);
        var left = mappings.listAccessScopes("1.0", guid, null, null, null, null, null, null, null, null, null, null);
        System.out.println(left.size());
    }
}
