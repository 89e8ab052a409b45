// An old client: HttpClient, Newtonsoft models, one media type for all bodies; anything but 200 throws, as generated clients do.
using System;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

public sealed class UnexpectedAnswer : Exception
{
    public readonly HttpStatusCode Status;
    public readonly string Body;

    public UnexpectedAnswer(HttpStatusCode status, string body) : base((int)status + " " + body)
    {
        Status = status;
        Body = body;
    }
}

public sealed class Client
{
    static readonly JsonSerializerSettings settings = new JsonSerializerSettings
    {
        MissingMemberHandling = MissingMemberHandling.Error,
        DateParseHandling = DateParseHandling.DateTimeOffset,
    };

    readonly HttpClient http = new HttpClient();
    readonly string mediaType;
    public string AccessToken;

    public Client(string address, string mediaType)
    {
        http.BaseAddress = new Uri(address + "/");
        http.DefaultRequestHeaders.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        this.mediaType = mediaType;
    }

    public HttpResponseMessage Send(string method, string path, object body = null)
    {
        var request = new HttpRequestMessage(new HttpMethod(method), path);
        if (path.StartsWith("api/")) request.Headers.Add("api-version", "1.0");
        if (AccessToken != null) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", AccessToken);
        if (body != null)
        {
            request.Content = new StringContent(JsonConvert.SerializeObject(body, settings), Encoding.UTF8);
            request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(mediaType);
        }
        return http.SendAsync(request).Result;
    }

    public string Text(string method, string path, object body = null)
    {
        var response = Send(method, path, body);
        var text = response.Content.ReadAsStringAsync().Result;
        if (response.StatusCode != HttpStatusCode.OK) throw new UnexpectedAnswer(response.StatusCode, text);
        return text;
    }

    public T Call<T>(string method, string path, object body = null)
    {
        return Read<T>(Text(method, path, body));
    }

    // Newtonsoft takes a name in any case; a client in another language does not
    public static T Read<T>(string text)
    {
        var value = JsonConvert.DeserializeObject<T>(text, settings);
        var given = JsonConvert.DeserializeObject<JToken>(text, settings);
        Exact(given, JToken.FromObject(value));
        return value;
    }

    static void Exact(JToken given, JToken read)
    {
        if (given is JArray)
            for (var index = 0; index < ((JArray)given).Count; index++) Exact(given[index], read[index]);
        if (!(given is JObject) || !(read is JObject)) return;
        foreach (var property in ((JObject)given).Properties())
        {
            if (((JObject)read).Property(property.Name) == null) throw new Exception("a name in another case: " + property.Name);
            Exact(property.Value, read[property.Name]);
        }
    }

    public UnexpectedAnswer Refusal(string method, string path, object body = null)
    {
        try
        {
            Text(method, path, body);
        }
        catch (UnexpectedAnswer answer)
        {
            return answer;
        }
        throw new Exception(method + " " + path + " was not refused");
    }
}
