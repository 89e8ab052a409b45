/** Tokens for fewer audiences and scopes: never wider than asked, than the record was made for, or than is held. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { hasRepeatedMember } from '../../src/http/body.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder, newScope, newScopeType } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { startGuardedApi } from './guardedApi.js';

interface Client {
  clientId: string;
  clientSecret: string;
}
type Form = Record<string, string | string[]>;
const adminAudience = 'https://auth.example/administration';
const gridResource = 'https://grid.example/api';

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  let app: TestApp;
  let client: Client;
  let holder: { userGuid: string; profileId: string };
  let scopeIds: number[];
  const type = 'site';
  const keys = ['a', 'b', 'c', 'd'];
  const entries = keys.map((key) => `${type}:${key}`);
  beforeAll(async () => {
    app = await startTestApp({
      TOKEN_POLICY: policy,
      // oauth4webapi accepts no other
      ACCESS_TOKEN_TYP: 'at+jwt',
      ADMIN_AUDIENCE: adminAudience,
      AUDIENCE_RESOURCES: JSON.stringify({ [gridResource]: 'GRID' }),
    });
    client = await newClient(app.context);
    holder = await newHolder(app.context);
    const typeId = await newScopeType(app.context, type);
    scopeIds = [];
    for (const access_scope_key of keys)
      scopeIds.push((await newScope(app.context, typeId, holder.profileId, { access_scope_key })).access_scope_id);
  });
  beforeEach(() => app.context.sql.rows('update access_scopes set is_active = true'));
  afterAll(() => app.close());

  const as = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });
  async function send(path: string, form: Form, who = client): Promise<Answer> {
    const body = new URLSearchParams(as(who));
    for (const [name, values] of Object.entries(form)) for (const value of [values].flat()) body.append(name, value);
    return readAnswer(await fetch(app.url + path, { method: 'POST', body }));
  }
  const exchange = (form: Form = {}, who = client): Promise<Answer> =>
    send(
      '/token',
      { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId, ...form },
      who,
    );
  const renew = (token: string, form: Form = {}, who = client): Promise<Answer> =>
    send('/token', { ...renewalBody(token), ...form }, who);
  const renewJson = (token: string, who = client): Promise<Answer> =>
    app.post('/token', { ...renewalBody(token), profileId: holder.profileId, ...as(who) });
  const claimsOf = ({ json }: Answer) => decodeJwt<{ scopes: string[]; scope?: string }>(json.access_token);
  const refused = ({ status, json }: Answer, error: string) => expect([status, json?.error]).toEqual([400, error]);

  it('an exchange gives the audience and the scopes that were asked for, and no others', async () => {
    const answer = await exchange({ audience: 'IOT', scope: 'site:c site:a' });
    expect(answer.json.scope).toBe('site:a site:c');
    expect(claimsOf(answer)).toMatchObject({ aud: ['IOT'], scopes: ['site:a', 'site:c'], scope: 'site:a site:c' });
  });

  it.each<[string, Form]>([
    ['a narrowed', { scope: 'site:a' }],
    ['a whole', {}],
  ])('an introspection tells the claims of %s token and its scopes, each once', async (_name, form) => {
    const { json } = await exchange(form);
    const { text } = await send('/introspect', { token: json.access_token });
    const claims = claimsOf({ json } as Answer);
    expect(JSON.parse(text)).toEqual({ active: true, token_type: 'Bearer', scope: claims.scopes.join(' '), ...claims });
    expect(hasRepeatedMember(text, JSON.parse(text))).toBe(false);
  });

  it('who asks for nothing gets what there always was, without a claim `scope`', async () => {
    const claims = claimsOf(await exchange());
    expect([claims.aud, claims.scopes, claims.scope]).toEqual([['GRID', 'IOT'], entries, undefined]);
  });

  it('`resource` stands for an audience, or is one itself; several may be asked for', async () => {
    expect(claimsOf(await exchange({ resource: gridResource })).aud).toEqual(['GRID']);
    expect(claimsOf(await exchange({ resource: 'IOT', audience: 'GRID' })).aud).toEqual(['GRID', 'IOT']);
    refused(await exchange({ resource: 'https://other.example/' }), 'invalid_target');
  });

  it.each([
    ['another audience', { audience: 'OTHER' }, 'invalid_target'],
    ['another one beside one of ours', { audience: ['GRID', 'OTHER'] }, 'invalid_target'],
    ['an audience with a space in it', { audience: 'GRID IOT' }, 'invalid_target'],
    ['an audience that no text can hold', { audience: 'GR\0ID' }, 'invalid_target'],
    ['a scope that is not held', { scope: 'site:a site:z' }, 'invalid_scope'],
    ['a wildcard that is not held', { scope: 'site:*' }, 'invalid_scope'],
    ['a scope that is none', { scope: 'sit"e:a' }, 'invalid_scope'],
    ['a scope that no text can hold', { scope: 'site:\0a' }, 'invalid_scope'],
  ])('%s is refused at exchange and renewal, and uses nothing up', async (_what, asked, error) => {
    refused(await exchange(asked), error);
    const { refresh_token } = (await exchange()).json;
    refused(await renew(refresh_token, asked), error);
    expect((await renew(refresh_token)).status).toBe(200);
  });

  it('renewals stay inside what the record was made for, in both dialects', async () => {
    let { refresh_token } = (await exchange({ audience: 'IOT', scope: 'site:a site:b' })).json;
    for (const again of [renew, renewJson]) {
      const answer = await again(refresh_token);
      expect(claimsOf(answer)).toMatchObject({ aud: ['IOT'], scopes: ['site:a', 'site:b'], scope: 'site:a site:b' });
      refresh_token = answer.json.refresh_token;
    }
    refused(await renew(refresh_token, { scope: 'site:c' }), 'invalid_scope');
    refused(await renew(refresh_token, { audience: 'GRID' }), 'invalid_target');
  });

  it('a renewal narrows its own access token, and the next one has all of the record again', async () => {
    const { refresh_token } = (await exchange({ scope: 'site:a site:b' })).json;
    const narrowed = await renew(refresh_token, { scope: 'site:b', audience: 'GRID' });
    expect(claimsOf(narrowed)).toMatchObject({ aud: ['GRID'], scopes: ['site:b'] });
    const next = await renew(narrowed.json.refresh_token);
    expect(claimsOf(next)).toMatchObject({ aud: ['GRID', 'IOT'], scopes: ['site:a', 'site:b'] });
  });

  it('a scope that the profile lost is in no token, and can not be asked for', async () => {
    const { refresh_token } = (await exchange({ scope: 'site:a site:b' })).json;
    await app.context.sql.rows('update access_scopes set is_active = false where access_scope_id = $1', [scopeIds[0]]);
    refused(await renew(refresh_token, { scope: 'site:a' }), 'invalid_scope');
    expect(claimsOf(await renew(refresh_token)).scopes).toEqual(['site:b']);
  });

  it('a lost answer that is given again is no wider', async () => {
    const { refresh_token } = (await exchange({ scope: 'site:a', audience: 'GRID' })).json;
    const headers = { 'idempotency-key': randomUUID() };
    const ask = async (more: Record<string, string> = {}) =>
      readAnswer(
        await fetch(`${app.url}/token`, {
          method: 'POST',
          headers,
          body: new URLSearchParams({ ...renewalBody(refresh_token), ...as(client), ...more }),
        }),
      );
    await ask();
    expect(claimsOf(await ask())).toMatchObject({ aud: ['GRID'], scopes: ['site:a'] });
    refused(await ask({ scope: 'site:b' }), 'invalid_scope');
    refused(await ask({ audience: 'IOT' }), 'invalid_target');
  });

  it('through any number of renewals no token is wider than asked, than its record, or than what is held', async () => {
    const subset = fc.option(fc.subarray(entries), { nil: undefined });
    const target = fc.option(fc.subarray(['GRID', 'IOT', adminAudience], { minLength: 1 }), { nil: undefined });
    const step = fc.record({ scopes: subset, audiences: target, active: fc.subarray(keys), isJson: fc.boolean() });
    const formOf = (scopes: string[] | undefined, audiences: string[] | undefined): Form => ({
      // an empty one would be as if it was not there
      ...(scopes && { scope: scopes.join(' ') || ' ' }),
      ...(audiences && { audience: audiences }),
    });
    await fc.assert(
      fc.asyncProperty(subset, target, fc.array(step, { maxLength: 6 }), async (scopes, audiences, steps) => {
        await app.context.sql.rows('update access_scopes set is_active = true');
        const first = await exchange(formOf(scopes, audiences));
        expect(first.status).toBe(200);
        const made = { scopes: scopes ?? entries, audiences: audiences ?? ['GRID', 'IOT'] };
        expectNoWider(first, made.scopes, made.audiences);
        let token = first.json.refresh_token;
        for (const { isJson, active, ...asked } of steps) {
          await app.context.sql.rows('update access_scopes set is_active = access_scope_key = any($1)', [active]);
          const held = made.scopes.filter((scope) => active.includes(scope.slice(type.length + 1)));
          const answer = isJson ? await renewJson(token) : await renew(token, formOf(asked.scopes, asked.audiences));
          const [wantedScopes, wantedAudiences] = isJson
            ? [held, made.audiences]
            : [asked.scopes ?? held, asked.audiences ?? made.audiences];
          const isWider = !isWithin(wantedScopes, held) || !isWithin(wantedAudiences, made.audiences);
          expect([answer.status, isWider]).toEqual([isWider ? 400 : 200, isWider]);
          if (isWider) continue;
          expectNoWider(answer, wantedScopes, wantedAudiences);
          token = answer.json.refresh_token;
        }
      }),
      { numRuns: 60 },
    );
  });
  const isWithin = (some: string[], all: string[]): boolean => some.every((each) => all.includes(each));
  function expectNoWider(answer: Answer, scopes: string[], audiences: string[]): void {
    const claims = claimsOf(answer);
    expect([claims.scopes, [claims.aud].flat().toSorted()]).toEqual([scopes.toSorted(), audiences.toSorted()]);
  }

  describe('of a client whose record has allowedAudiences', () => {
    const limited = (allowed_audiences: string) => newClient(app.context, undefined, { allowed_audiences });

    it('tokens have no others, in both dialects', async () => {
      const grid = await limited('GRID OTHER');
      const answer = await exchange({}, grid);
      expect(claimsOf(answer).aud).toEqual(['GRID']);
      expect(claimsOf(await renewJson(answer.json.refresh_token, grid)).aud).toEqual(['GRID']);
      refused(await exchange({ audience: 'IOT' }, grid), 'invalid_target');
      refused(await exchange({ audience: 'OTHER' }, grid), 'invalid_target');
    });

    it('a change counts at the next renewal, and one that leaves none uses nothing up', async () => {
      const grid = await limited('GRID');
      const { refresh_token } = (await exchange({}, grid)).json;
      const allow = (audiences: string | null) =>
        app.context.sql.rows('update clients set allowed_audiences = $2 where client_id = $1', [
          grid.clientId,
          audiences,
        ]);
      await allow('OTHER');
      refused(await renew(refresh_token, {}, grid), 'invalid_target');
      expect((await renewJson(refresh_token, grid)).status).toBe(401);
      await allow('IOT');
      const renewed = await renew(refresh_token, {}, grid);
      expect(claimsOf(renewed).aud).toEqual(['IOT']);
      await allow(null);
      expect(claimsOf(await renew(renewed.json.refresh_token, {}, grid)).aud).toEqual(['GRID', 'IOT']);
    });

    it('the documented dialect refuses one that may have neither as it refuses a profile', async () => {
      const none = await limited('OTHER');
      const body = { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId, ...as(none) };
      const { status, text } = await app.post('/token', body);
      expect([status, text]).toEqual([400, 'Invalid profile']);
    });
  });

  it('an API that expects one audience refuses the token of the other: oauth4webapi, express-oauth2-jwt-bearer', async () => {
    const { issuerUrl: issuer } = app.running.dependencies;
    const server: oauth.AuthorizationServer = { issuer, jwks_uri: `${app.url}/.well-known/jwks.json` };
    const validate = (token: string, audience: string) =>
      oauth.validateJwtAccessToken(
        server,
        new Request('http://api.test/', { headers: { authorization: `Bearer ${token}` } }),
        audience,
        { [oauth.allowInsecureRequests]: true },
      );
    const call = await startGuardedApi({
      issuer,
      jwksUri: server.jwks_uri,
      audience: 'GRID',
      tokenSigningAlg: 'ES256',
    });
    const [grid, iot] = [await exchange({ audience: 'GRID' }), await exchange({ audience: 'IOT' })];
    expect((await validate(grid.json.access_token, 'GRID')).aud).toEqual(['GRID']);
    await expect(validate(iot.json.access_token, 'GRID')).rejects.toThrow();
    const answers = [await call(grid.json.access_token), await call(iot.json.access_token)];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });
});
