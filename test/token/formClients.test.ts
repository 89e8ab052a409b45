/** How clients prove themselves in the OAuth dialect (RFC 6749 §2.3). */
import type { Answer } from '../support/app.js';
import {
  app,
  basic,
  client,
  exchangeParameters,
  expectError,
  send,
  sendRaw,
  startFormApp,
} from '../support/formApp.js';
import { renewalBody } from '../support/tokens.js';

beforeAll(startFormApp);
afterAll(() => app.close());

describe('client authentication', () => {
  const parameters = { ...renewalBody('x') };
  const expectChallenge = (answer: Answer): void => {
    expectError(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  };

  it('takes HTTP Basic, form-encoded, or the body', async () => {
    expectError(await send('/token', parameters), 400, 'invalid_grant');
    const body = { ...parameters, client_id: client.clientId, client_secret: client.clientSecret };
    expectError(await send('/token', body, {}), 400, 'invalid_grant');
    expectError(await send('/token', { ...parameters, client_id: client.clientId }), 400, 'invalid_grant');
  });

  it.each([
    ['none', () => ({})],
    ['no base64', () => ({ authorization: 'Basic ***' })],
    ['no colon', () => ({ authorization: `Basic ${Buffer.from('abc').toString('base64')}` })],
    ['no UTF-8', () => ({ authorization: `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}` })],
    ['a bad escape', () => ({ authorization: `Basic ${Buffer.from('a%zz:b').toString('base64')}` })],
    ['another scheme', () => ({ authorization: 'Bearer x' })],
    ['a wrong secret', () => ({ authorization: basic({ clientId: client.clientId, clientSecret: 'wrong' }) })],
    ['an unknown client', () => ({ authorization: basic({ clientId: 'nobody', clientSecret: 'x' }) })],
  ])('with %s is 401 invalid_client, on all four paths', async (_name, headers) => {
    for (const path of ['/token', '/profiles', '/revoke', '/introspect'])
      expectChallenge(await send(path, { ...parameters, token: 'x' }, headers()));
  });

  it('in two ways at once is invalid_request', async () => {
    expectError(await send('/token', { ...parameters, client_secret: client.clientSecret }), 400, 'invalid_request');
    expectError(await send('/token', { ...parameters, client_id: 'another' }), 400, 'invalid_request');
  });

  it('in two headers is invalid_request, whichever is the good one', async () => {
    const content = new URLSearchParams({ ...parameters, token: 'x' }).toString();
    for (const path of ['/token', '/profiles', '/revoke', '/introspect'])
      for (const authorization of [
        [basic(), basic({ clientId: 'nobody', clientSecret: 'x' })],
        [basic({ clientId: 'nobody', clientSecret: 'x' }), basic()],
        [basic(), basic()],
        [basic(), 'Bearer x'],
      ]) {
        const { status, text } = await sendRaw(path, { authorization }, content);
        expect([path, status, JSON.parse(text).error]).toEqual([path, 400, 'invalid_request']);
      }
  });

  it('in the header counts for nothing in the documented dialect', async () => {
    const answer = await app.post('/token', { ...parameters, profileId: 'p' }, { authorization: basic() });
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, ['client_id', 'client_secret']]);
  });

  it('comes before what an introspection lacks: only who proves itself is told', async () => {
    expectError(await send('/introspect', {}), 400, 'invalid_request');
    const wrong = { authorization: basic({ ...client, clientSecret: 'wrong' }) };
    expectChallenge(await send('/introspect', {}, wrong));
  });

  it('in the header of the documented dialect may name no other client than the body', async () => {
    const body = { ...(await exchangeParameters()), client_id: client.clientId, client_secret: client.clientSecret };
    for (const authorization of [basic(), 'Bearer x', 'Basic ***'])
      expect((await app.post('/token', body, { authorization })).status).toBe(200);
    const authorization = basic({ ...client, clientId: 'another' });
    const answer = await app.post('/token', body, { authorization });
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, ['client_id']]);
    const { access_token } = (await app.post('/token', body)).json;
    const of = { token: access_token, client_id: client.clientId };
    expect((await app.post('/revoke', of, { authorization })).status).toBe(400);
    expect((await app.post('/validate-token', of, { authorization })).json).toEqual({
      is_valid: false,
      error: 'Token is invalid or expired',
    });
    expect((await app.post('/validate-token', { token: access_token }, { authorization })).status).toBe(200);
    const twice = JSON.stringify(body);
    expect(
      (await sendRaw('/token', { authorization: [basic(), authorization] }, twice, 'application/json')).status,
    ).toBe(400);
  });
});
