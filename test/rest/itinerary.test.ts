/** What is judged before an operation begins, and in which order (docs/contract/administration.md): route, version, caller, media type, size, JSON. */
import { request } from 'node:http';
import { newApplication, newApplicationBody, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
let guid: string;
beforeAll(async () => {
  app = await startRestApp({ ADMIN_READ_SCOPES: 'legacy:read', ADMIN_WRITE_SCOPES: 'legacy:write' });
  guid = (await newApplication(app.sql)).application_guid;
});
afterAll(() => app.close());

const problem = (status: number, more: object = {}) => ({
  type: expect.any(String),
  title: expect.any(String),
  status,
  traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  ...more,
});
const expectProblem = (
  answer: { status: number; json: unknown; headers: Headers },
  status: number,
  more: object = {},
) => {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('api-supported-versions')).toBe('1.0');
  expect(answer.json).toMatchObject(problem(status, more));
  expect(answer.status).toBe(status);
};

describe('a route', () => {
  it.each([
    '/API/Applications/',
    '/api/APPLICATIONS',
    '/Api/applications?x=1',
  ])('is found in any case, with a slash at the end: %s', async (path) =>
    expect((await app.call('GET', path)).status).toBe(200));

  it.each(['', '/', ':DELETE', '%3adelete', ':delete/'])('accessScopes%s is one', async (end) =>
    expect((await app.call('POST', `/api/applications/${guid}/accessscopes${end}`, { body: [] })).status).toBe(200));

  it.each([
    '/api',
    '/api/',
    '/api/x',
    '/api/applications/a/b',
    '/api/applications/a/accessScopesX',
    '/api/applications/a/accessScopes/b/c',
    '/api/applications//',
  ])('is not %s: 404 before anything else is asked', async (path) =>
    expectProblem(await app.call('POST', path, { scopes: null, headers: { 'api-version': 'x' } }), 404, {
      title: 'Not Found',
    }));

  it.each([
    '/api/applications/$count',
    '/API/applications/%24Count?$filter=isActive',
    '/api/applications/a/accessScopes/$count',
  ])('is not %s, and the answer says what is in its place', async (path) =>
    expectProblem(await app.call('GET', path), 404, { detail: expect.stringContaining('$count=true') }));

  it.each([
    ['PUT', '', 'GET, HEAD, POST'],
    ['POST', '/a', 'GET, HEAD'],
    ['PUT', '/a/accessScopes', 'GET, HEAD, POST, PATCH'],
    ['GET', '/a/accessScopes:delete', 'POST'],
    ['GET', '/a/accessScopes/b', 'DELETE'],
    ['OPTIONS', '', 'GET, HEAD, POST'],
  ])('that is not for %s %s says what is: 405', async (method, path, allow) => {
    const answer = await app.call(method, `/api/applications${path}`, {
      scopes: null,
      headers: { 'api-version': 'x' },
    });
    expectProblem(answer, 405);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('answers HEAD as GET, without a body', async () => {
    const answer = await app.call('HEAD', '/api/applications');
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
  });
});

describe('api-version', () => {
  it.each(['1.0', '1', ' 1.0 ', '1.0, 1'])('%s is the supported one', async (version) => {
    const answer = await app.call('GET', '/api/applications', { headers: { 'api-version': version } });
    expect([answer.status, answer.headers.get('api-supported-versions')]).toEqual([200, '1.0']);
  });

  it.each([
    ['', 'ApiVersionUnspecified', 'unspecified'],
    ['2.0', 'UnsupportedApiVersion', 'unsupported'],
    ['1.1', 'UnsupportedApiVersion', 'unsupported'],
    ['1.0-beta', 'UnsupportedApiVersion', 'unsupported'],
    ['2024-01-01', 'UnsupportedApiVersion', 'unsupported'],
    ['v1', 'InvalidApiVersion', 'invalid'],
    ['1.', 'InvalidApiVersion', 'invalid'],
    ['1.0.0.0', 'InvalidApiVersion', 'invalid'],
    ['1.0, 2.0', 'AmbiguousApiVersion', 'ambiguous'],
    ['1, v1', 'AmbiguousApiVersion', 'ambiguous'],
  ])('%j is a problem of its own, before the caller is asked', async (version, code, anchor) => {
    const answer = await app.call('POST', '/api/applications', {
      scopes: null,
      headers: { 'api-version': version, 'content-type': 'image/png' },
      body: 'x',
    });
    expectProblem(answer, 400, {
      code,
      type: `https://docs.api-versioning.org/problems#${anchor}`,
      detail: expect.any(String),
    });
  });

  it('sent as two headers that differ is ambiguous, missing is unspecified', async () => {
    const ask = (headers: Record<string, string | string[]>) =>
      new Promise<string>((resolve) => {
        request(`${app.url}/api/applications`, { headers }, (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(JSON.parse(text).code ?? response.statusCode));
        }).end();
      });
    expect(await ask({ 'api-version': ['1.0', '2.0'] })).toBe('AmbiguousApiVersion');
    expect(await ask({ 'api-version': ['1.0', '1'] })).toBe(401);
    expect(await ask({})).toBe('ApiVersionUnspecified');
  });
});

describe('a caller', () => {
  const png = { headers: { 'content-type': 'image/png' }, body: 'x' };

  it('who is not known is 401 before the body is looked at', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer x' },
      { authorization: 'Basic eDp5' },
      { authorization: `Bearer ${app.token(['admin:write'])}x` },
    ]) {
      const answer = await app.call('POST', '/api/applications', {
        scopes: null,
        body: 'x',
        headers: { ...png.headers, ...headers },
      });
      expectProblem(answer, 401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it.each([
    ['admin:read', 200, 403],
    ['legacy:read', 200, 403],
    ['admin:write', 200, 415],
    ['legacy:write', 200, 415],
    ['admin:security', 403, 403],
    ['admin:*', 403, 403],
    ['x:y', 403, 403],
  ])('with the scope %s reads with %i and writes with %i', async (scope, read, write) => {
    const reading = await app.call('GET', '/api/applications', { scopes: [scope] });
    expect(reading.status).toBe(read);
    expectProblem(await app.call('POST', '/api/applications', { scopes: [scope], ...png }), write);
    expect(
      (await app.call('POST', `/api/applications/${guid}/accessScopes:delete`, { scopes: [scope], ...png })).status,
    ).toBe(write);
    expect(
      (await app.call('PATCH', `/api/applications/${guid}/accessScopes`, { scopes: [scope], ...png })).status,
    ).toBe(write);
    expect((await app.call('DELETE', `/api/applications/${guid}/accessScopes/x`, { scopes: [scope] })).status).toBe(
      write === 415 ? 400 : 403,
    );
    expect((await app.call('GET', `/api/applications/${guid}/accessScopes`, { scopes: [scope] })).status).toBe(read);
    expect((await app.call('GET', `/api/applications/${guid}`, { scopes: [scope] })).status).toBe(read);
  });
});

describe('a body', () => {
  const post = (type: string | undefined, body: unknown = newApplicationBody()) =>
    app.call('POST', '/api/applications', {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
      headers: { 'content-type': type ?? '' },
    });

  it.each([
    'application/json',
    'application/json;odata.metadata=minimal;odata.streaming=true',
    'application/json;odata.metadata=full;odata.streaming=false;IEEE754Compatible=true',
    'application/json;IEEE754Compatible=false',
    'APPLICATION/JSON; Charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; charset=iso-8859-1',
    'text/plain; charset=us-ascii',
    'application/vnd.x+json',
    'application/*+json',
    'text/json',
    'text/json; charset=utf-8',
    'text/plain',
    'text/plain; charset=utf-8',
  ])('of %s is read as JSON', async (type) => expect((await post(type)).status).toBe(200));

  it.each([
    undefined,
    'application/xml',
    'application/jsonx',
    'text/html',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16be',
    'text/plain;charset=utf-16',
    'multipart/form-data',
  ])('of %s is 415, even when it is too large', async (type) => {
    expectProblem(await post(type), 415);
    expectProblem(await post(type, 'x'.repeat(300_000)), 415);
  });

  it('may begin with a byte order mark', async () =>
    expect((await post('application/json', Buffer.from(`\ufeff${JSON.stringify(newApplicationBody())}`))).status).toBe(
      200,
    ));

  it.each(['', '{', '{"name":}', "{'a':1}", 'undefined', '{"a":1}}'])('that is no JSON is 400: %s', async (text) =>
    expectProblem(await post('application/json', text), 400, { errors: { $: expect.any(Array) } }));

  it('that is no UTF-8 is 400', async () =>
    expectProblem(await post('application/json', Buffer.from([0x22, 0xff, 0x22])), 400));

  it('of more than 256 KiB is 413, of 256 KiB is judged', async () => {
    const limit = 256 * 1024;
    expectProblem(await post('application/json', 'x'.repeat(limit + 1)), 413);
    expectProblem(await post('application/json', 'x'.repeat(limit)), 400);
  });

  it('of a bulk may have 8 MiB', async () => {
    const limit = 8 * 1024 * 1024;
    const bulk = (length: number) =>
      app.call('POST', `/api/applications/${guid}/accessScopes`, { body: '['.padEnd(length, ' ') });
    expectProblem(await bulk(limit + 1), 413);
    expectProblem(await bulk(limit), 400);
  });
});

describe('a guid in a path', () => {
  it.each(['upper', 'braced'])('is taken in any case and in braces: %s', async (form) => {
    const written = form === 'upper' ? guid.toUpperCase() : `%7B${guid}%7D`;
    expect((await app.call('GET', `/api/applications/${written}`)).json.applicationGuid).toBe(guid);
    expect((await app.call('GET', `/api/applications/${written}/accessScopes`)).status).toBe(200);
  });

  it.each([
    '1',
    'x',
    "' or 1=1 --",
    `${'0'.repeat(32)}`,
    '{00000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-00000000000g',
    '%00',
  ])('of any other form is 400 naming the parameter: %s', async (text) => {
    const path = `/api/applications/${text === '%00' ? text : encodeURIComponent(text)}`;
    expectProblem(await app.call('GET', path), 400, { errors: { guid: [expect.any(String)] } });
    expectProblem(await app.call('GET', `${path}/accessScopes?$top=-1`), 400, {
      errors: { applicationGuid: [expect.any(String)], $top: [expect.any(String)] },
    });
    expectProblem(await app.call('DELETE', `${path}/accessScopes/y`), 400, {
      errors: { applicationGuid: [expect.any(String)], accessScopeGuid: [expect.any(String)] },
    });
    expectProblem(await app.call('PATCH', `${path}/accessScopes`, { body: [{}] }), 400, {
      errors: { applicationGuid: [expect.any(String)], '[0].accessScopeGuid': [expect.any(String)] },
    });
  });

  it('of nothing is 404', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    expectProblem(await app.call('GET', `/api/applications/${unknown}`), 404);
    expectProblem(
      await app.call('GET', `/api/applications/${unknown}/accessScopes`, { headers: { 'if-none-match': '*' } }),
      404,
    );
    for (const [method, end] of [
      ['POST', ''],
      ['PATCH', ''],
      ['POST', ':delete'],
    ] as const)
      expectProblem(await app.call(method, `/api/applications/${unknown}/accessScopes${end}`, { body: [] }), 404);
    expectProblem(await app.call('DELETE', `/api/applications/${unknown}/accessScopes/${unknown}`), 404);
    expectProblem(await app.call('DELETE', `/api/applications/${guid}/accessScopes/${unknown}`), 404);
  });
});

describe('the ETag of a list', () => {
  it('answers 304 until anything administered changes, and differs by query', async () => {
    const paths = ['/api/applications', `/api/applications/${guid}/accessScopes`];
    const ask = async (path: string, etag = '') =>
      app.call('GET', path, { headers: etag ? { 'if-none-match': etag } : {} });
    const etags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get('etag')!));
    app.takeStatements();
    for (const [index, path] of paths.entries()) {
      for (const given of [etags[index]!, etags[index]!.slice(2), `"a", ${etags[index]}`, '*']) {
        const known = await ask(path, given);
        expect([
          known.status,
          known.text,
          known.headers.get('etag'),
          known.headers.get('api-supported-versions'),
        ]).toEqual([304, '', etags[index], '1.0']);
      }
      expect((await ask(path, '"a"')).status).toBe(200);
      expect((await ask(`${path}?$top=1`, etags[index])).status).toBe(200);
    }
    expect(app.takeStatements().filter((text) => text.includes('row_to_json'))).toHaveLength(4);
    await app.call('POST', '/api/applications', { body: newApplicationBody() });
    for (const [index, path] of paths.entries()) expect((await ask(path, etags[index])).status).toBe(200);
  });
});

it('a bad option is 400 and never 500, keyed by its name', async () => {
  for (const [query, option] of [
    [`$filter=${'('.repeat(1000)}`, '$filter'],
    ["$filter=' or 1=1 --", '$filter'],
    ['$top=-1', '$top'],
    ['$top=1e9', '$top'],
    ['$filter=name%2520eq%2520%2527a%2527', '$filter'],
    ['$filter=%', '$filter'],
    ['$filter=nope eq 1', '$filter'],
    ['$filter=name eq null and', '$filter'],
    ['$filter=revision eq 1', '$filter'],
    ['$orderby=createdByNavigation/isBlocked', '$orderby'],
    ['$select=revision', '$select'],
    ['$expand=createdByNavigation($select=userId)', '$expand'],
    ['$expand=createdByNavigation/createdByNavigation', '$expand'],
    ['$apply=x', '$apply'],
    ['$filter=', '$filter'],
    ['$top=1&top=2', '$top'],
    ['options=$filter%3D%2528', '$filter'],
    ["$filter=name eq '%00'", '$filter'],
    ['$filter=applicationId in (1,2', '$filter'],
  ] as const) {
    const answer = await app.call('GET', `/api/applications?${query}`);
    expect([query, answer.status, Object.keys(answer.json.errors)]).toEqual([query, 400, [option]]);
    expect(answer.json.title).toBe('One or more validation errors occurred.');
  }
  expect((await app.call('GET', '/api/applications?options=%5Bobject%20Object%5D&x=%zz')).status).toBe(200);
});
