// Uses the three token endpoints and the eight REST operations as the old clients do; prints a line for each, exit 1 at the first fault.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;

public static class Program
{
    static readonly string[] mediaTypes =
    {
        "application/json",
        "application/json; charset=utf-8",
        "application/json; odata.metadata=minimal; odata.streaming=true",
        "application/json; IEEE754Compatible=true",
        "application/vnd.example+json",
        "text/json",
        "text/plain",
    };

    static string Setting(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrEmpty(value)) throw new Exception(name + " is not set");
        return value;
    }

    static void Check(bool isRight, string what)
    {
        if (!isRight) throw new Exception(what);
    }

    static object Grant(string grant, string name, string token)
    {
        return new Dictionary<string, string>
        {
            { "grant_type", grant },
            { name, token },
            { "profileId", Setting("PROFILE_ID") },
            { "client_id", Setting("CLIENT_ID") },
            { "client_secret", Setting("CLIENT_SECRET") },
        };
    }

    public static int Main()
    {
        try
        {
            var accessToken = Tokens(new Client(Setting("GATEHOUSE"), "application/json; charset=utf-8"));
            foreach (var mediaType in mediaTypes)
            {
                Administration(new Client(Setting("GATEHOUSE"), mediaType) { AccessToken = accessToken });
                Console.WriteLine("eight operations, " + mediaType);
            }
            return 0;
        }
        catch (Exception fault)
        {
            Console.Error.WriteLine(fault is AggregateException ? fault.InnerException : fault);
            return 1;
        }
    }

    static string Tokens(Client client)
    {
        var first = client.Call<TokenResponse>("POST", "token", Grant("urn:service:authz:exchange", "id_token", Setting("ID_TOKEN")));
        Check(first.TokenType == "Bearer" && first.ExpiresIn == 3600, "token type and lifetime");
        var second = client.Call<TokenResponse>("POST", "token", Grant("refresh_token", "refresh_token", first.RefreshToken));
        var again = client.Refusal("POST", "token", Grant("refresh_token", "refresh_token", first.RefreshToken));
        Check(again.Status == HttpStatusCode.Unauthorized && again.Body == "", "a renewal token works once");
        var unknown = client.Refusal("POST", "token", Grant("password", "password", "x"));
        Check(unknown.Status == HttpStatusCode.BadRequest && unknown.Body == "Unsupported grant_type", "unknown grant");
        Console.WriteLine("POST /token");

        var valid = client.Call<ValidationResponse>("POST", "validate-token", new { token = second.AccessToken });
        Check(valid.IsValid && valid.Claims.ProfileId == Setting("PROFILE_ID") && valid.Claims.Exp - valid.Claims.Iat == 3600, "claims");
        Check(valid.Claims.Aud.SequenceEqual(new[] { "GRID", "IOT" }), "audiences");
        var invalid = client.Refusal("POST", "validate-token", new { token = "no token" });
        Check(invalid.Status == HttpStatusCode.BadRequest && !Client.Read<ValidationResponse>(invalid.Body).IsValid, "no token");
        Console.WriteLine("POST /validate-token");

        Check(client.Call<StatusResponse>("POST", "revoke", new { token = second.RefreshToken }).Status == "success", "revoke");
        var revoked = client.Refusal("POST", "revoke", new { token = second.RefreshToken });
        Check(Client.Read<StatusResponse>(revoked.Body).Status == "token_not_found_or_already_revoked", "revoked");
        Console.WriteLine("POST /revoke");
        return second.AccessToken;
    }

    static void Administration(Client client)
    {
        var scopes = Setting("SCOPE_GUIDS").Split(',').Select(Guid.Parse).ToArray();
        var create = new ApplicationCreateDTO
        {
            Name = "Zeiterfassung \u00e4\u00f6\u00fc \U0001F4C8",
            IconDefault = "clock.svg",
            IconHover = "clock-hover.svg",
            AppType = "web",
            RenderingMode = "tile",
            LinkType = "internal",
            IsIFrame = true,
        };
        var before = DateTimeOffset.UtcNow.AddMinutes(-2);
        var made = client.Call<ApplicationResponseDTO>("POST", "api/applications", create);
        Check(made.Name == create.Name && made.IsIframe == true && made.IsActive && made.ModifiedDate == null, "what was made");
        Check(made.CreatedDate > before && made.CreatedDate.Offset == TimeSpan.Zero, "a date-time in UTC");

        var path = "api/applications/" + made.ApplicationGuid.ToString("D");
        Check(client.Call<ApplicationResponseDTO>("GET", path).ApplicationId == made.ApplicationId, "read");
        Check(client.Call<ApplicationResponseDTO>("GET", "api/Applications/" + made.ApplicationGuid.ToString("B").ToUpperInvariant()).Name == made.Name, "in braces");

        var mapped = client.Call<List<AccessScopeApplicationsMapperDTO>>("POST", path + "/accessScopes",
            scopes.Select(scope => new { accessScopeGuid = scope, state = "active", individualExternalLink = (string)null }).ToArray());
        Check(mapped.Select(each => each.AccessScope.AccessScopeGuid).SequenceEqual(scopes), "in the order of the request");
        var changed = client.Call<List<AccessScopeApplicationsMapperDTO>>("PATCH", path + "/accessScopes",
            new[] { new { accessScopeGuid = scopes[0], state = "paused" } });
        Check(changed.Single().State == "paused" && changed[0].ModifiedDate != null, "changed");
        var listed = client.Call<List<AccessScopeApplicationsMapperDTO>>("GET", path + "/accessScopes?options=" + Uri.EscapeDataString("$orderby=state desc"));
        Check(listed.Count == scopes.Length && listed[0].State == "paused" && listed[0].Application.Translations == null, "listed");

        Check(client.Text("DELETE", path + "/accessScopes/" + scopes[0]) == "", "deleted");
        Check(client.Text("POST", path + "/accessScopes:delete", scopes.Skip(1).Select(scope => new { accessScopeGuid = scope }).ToArray()) == "", "deleted in bulk");
        Check(client.Call<List<AccessScopeApplicationsMapperDTO>>("GET", path + "/accessScopes").Count == 0, "none is left");

        var all = client.Call<List<ApplicationResponseDTO>>("GET", "api/applications");
        Check(all.Any(each => each.ApplicationGuid == made.ApplicationGuid), "in the list");
        var missing = client.Refusal("GET", "api/applications/" + Guid.NewGuid());
        Check(missing.Status == HttpStatusCode.NotFound, "unknown");
    }
}
