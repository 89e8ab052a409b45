/** What old clients send in a day, made small: sessions that are renewed and ended, lists with options, changes and mistakes. */
import { createHash } from 'node:crypto';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { type ComparedServices, clientSecret } from './comparedServices.js';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
}

interface Got {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what clients read
  json: any;
  etag: string | null;
}

/** Sends at least `count` requests to `url`, the same ones at each call for the same services; gives how many. */
export async function sendTraffic({ records, idToken }: ComparedServices, url: string, count: number): Promise<number> {
  let sent = 0;
  const call = async (path: string, { method = 'GET', headers = {}, body, form }: Sent = {}): Promise<Got> => {
    sent++;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'user-agent': 'legacy-admin/2.1 (canary-host.example.org)',
        ...(body !== undefined && json),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(form && { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      text,
      json: isJson ? JSON.parse(text) : undefined,
      etag: response.headers.get('etag'),
    };
  };
  const token = (client: string, fields: object) =>
    call('/token', {
      method: 'POST',
      body: { profileId: 'canary-profile', client_id: client, client_secret: clientSecret, ...fields },
    });
  const exchange = (client: string) => token(client, exchangeBody(idToken()));
  const known = records.applicationGuids;

  for (let round = 0; sent < count; round++) {
    const { access_token, refresh_token } = (await exchange('portal')).json;
    const renewed = (await token('portal', renewalBody(refresh_token))).json;
    await token('portal', renewalBody(refresh_token));
    await call('/validate-token', { method: 'POST', body: { token: access_token } });
    await call('/validate-token', { method: 'POST', body: { token: `${access_token.slice(0, -4)}AAAA` } });
    await exchange('kiosk');
    await token('kiosk', exchangeBody('eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOjF9.canarysignature'));
    await token('kiosk', { ...exchangeBody(idToken()), profileId: 'canary-of-nobody' });
    await token('kiosk', { grant_type: 'password' });
    await token('portal', { ...renewalBody('canary-token'), client_secret: `canary-wrong-${round}` });
    await call('/token', { method: 'POST', body: { grant_type: 'refresh_token' } });

    const authorization = `Bearer ${renewed.access_token}`;
    const api = { headers: { authorization, 'api-version': '1.0' } };
    const list = await call('/api/applications', api);
    await call('/api/applications', { headers: { ...api.headers, 'if-none-match': list.etag! } });
    await call('/api/applications?$filter=appType%20eq%20%27web%27&$top=3&$count=true&$orderby=applicationId', api);
    await call(`/api/applications?$skip=${round % 10}&$select=name,applicationGuid&$orderby=applicationId`, api);
    await call('/api/applications?options=%24top%3D2', api);
    await call('/api/applications?options=canary.junk@example.org', api);
    await call("/api/applications?$filter=createdByNavigation/lastName eq 'Canaryson'&$top=2", api);
    await call('/api/applications?$filter=', api);
    await call('/api/applications', { headers: { authorization } });
    await call('/api/applications', {
      headers: { 'api-version': '1.0', authorization: 'Bearer canary-bearer-of-nobody' },
    });
    await call(`/api/applications/${known[round % 12]}`, api);
    await call(`/api/applications/${known[round % 12]!.toUpperCase()}/`, api);
    await call('/api/applications/ad300000-0000-4000-8000-00000000ffff', api);
    await call('/api/applications', { ...api, method: 'PUT', body: {} });
    await call(`/api/applications/${known[round % 6]}/accessScopes`, api);

    const change = (path: string, method: string, body?: unknown) =>
      call(path, { ...api, method, body, headers: { ...api.headers, ...(body !== undefined && json) } });
    const made = await change('/api/applications', 'POST', applicationBody(round));
    const path = `/api/applications/${made.json.applicationGuid}`;
    await call(path, api);
    const scopes = records.scopeGuids
      .slice(3 + (round % 20), 7 + (round % 20))
      .map((accessScopeGuid) => ({ accessScopeGuid }));
    await change(`${path}/accessScopes`, 'POST', scopes);
    await change(`${path}/accessScopes`, 'POST', scopes);
    await call(`${path}/accessScopes?$top=2`, api);
    await change(`${path}/accessScopes`, 'PATCH', [{ ...scopes[0], state: 'paused' }]);
    await change(`${path}/accessScopes/${scopes[0]!.accessScopeGuid}`, 'DELETE');
    await change(`${path}/accessScopes:delete`, 'POST', scopes.slice(1, 3));
    await change('/api/applications', 'POST', { ...applicationBody(round), appType: '', extra: 1 });
    await call(`${path}/accessScopes`, api);

    const basic = `Basic ${Buffer.from(`back-office:${clientSecret}`).toString('base64')}`;
    const form = (grant: Record<string, string>) =>
      call('/token', { method: 'POST', headers: { authorization: basic }, form: grant });
    const formed = await form(renewalBody(renewed.refresh_token));
    await call('/introspect', {
      method: 'POST',
      headers: { authorization: basic },
      form: { token: formed.json.access_token },
    });
    await call('/revoke', { method: 'POST', body: { token: formed.json.refresh_token } });
    await call('/revoke', { method: 'POST', body: { token: formed.json.refresh_token } });
  }
  return sent;
}

const json = { 'content-type': 'application/json' };

const applicationBody = (round: number) => ({
  name: `Made ${round}`,
  description: `${createHash('md5').update(String(round)).digest('base64')}`,
  iconDefault: 'icon.svg',
  iconHover: 'hover.svg',
  appType: 'web',
  renderingMode: 'tile',
  linkType: 'internal',
  globalExternalLink: 'https://maps.example.org/city',
});
