/** What a request of each token endpoint costs at most, in both dialects, accepted and refused: SECURITY.md has the ceilings. */
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../support/app.js';
import { type Ceiling, expectWithin, searchWithin } from '../support/costCeiling.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
let client: { client_id: string; client_secret: string };
let holder: { userGuid: string; profileId: string };
beforeAll(async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '1000000' });
  const { clientId, clientSecret } = await newClient(app.context);
  client = { client_id: clientId, client_secret: clientSecret };
  holder = await newHolder(app.context);
  await exchange();
});
afterAll(() => app?.close());

/** Without a comparison of secrets. */
const small: Ceiling = { cpu: 150, loopDelay: 150, databaseCpu: 60, statements: 6, bytesOut: 4_096, memory: 60 };
/** Two comparisons, in threads of their own. */
const compared: Ceiling = { ...small, cpu: 900 };

const paths = ['/token', '/revoke', '/validate-token', '/introspect'] as const;
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const bytesMax = 65_536;
interface Issued {
  access_token: string;
  refresh_token: string;
}
/** Of the JSON dialect, as all are that `written` leaves as they are. */
async function exchange(written: (fields: Record<string, string>) => unknown = (fields) => fields): Promise<Issued> {
  const { userGuid, profileId } = holder;
  const body = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId, ...client };
  const headers = typeof written({}) === 'string' ? formType : undefined;
  return (await app.post('/token', written(body), headers)).json;
}

/** The same request to all endpoints, in the dialect of its body. */
const toAll = async (body: unknown, headers?: Record<string, string>): Promise<string[]> => {
  const answers = [];
  for (const path of paths) answers.push((await app.post(path, body, headers)).text);
  return answers;
};
const four = ({ cpu = 0, databaseCpu = 0, statements = 0, bytesOut = 0, ...rest }: Ceiling): Ceiling => ({
  ...rest,
  cpu: 4 * cpu,
  databaseCpu: 4 * databaseCpu,
  statements: 4 * statements,
  bytesOut: 4 * bytesOut,
});

it('accepted requests of the token endpoints cost a few statements', async () => {
  for (const headers of [undefined, formType]) {
    const body = (fields: Record<string, string>) => (headers ? new URLSearchParams(fields).toString() : fields);
    await expectWithin(
      app,
      headers ? 'the life of a token, forms' : 'the life of a token, JSON',
      async () => {
        const { access_token, refresh_token } = await exchange(body);
        const renewed = await app.post(
          '/token',
          body({ ...renewalBody(refresh_token), profileId: holder.profileId, ...client }),
          headers,
        );
        expect(renewed.status).toBe(200);
        const judge = headers ? '/introspect' : '/validate-token';
        const validated = await app.post(judge, body({ token: access_token, ...client }), headers);
        const revoked = await app.post('/revoke', body({ token: renewed.json.refresh_token, ...client }), headers);
        expect([validated.status, revoked.status]).toEqual([200, 200]);
        return [renewed.text, validated.text, revoked.text];
      },
      { ...small, statements: 14, bytesOut: 8_192 },
    );
  }
});

it('JSON that is refused costs next to nothing, whatever stands in it', async () => {
  const filled = (open: string, item: string, close: string) =>
    open + item.repeat(Math.floor((bytesMax - open.length - close.length) / item.length)) + close;
  const fields = `"profileId":"p","client_id":"c","client_secret":"s"`;
  const names = Array.from({ length: 6_500 }, (_, index) => `"m${index}":1`).join(',');
  await searchWithin(
    app,
    {
      requests: fc.json({ maxDepth: 8 }),
      regressions: [
        filled('[', '[],', '[]]'),
        '['.repeat(bytesMax / 2) + ']'.repeat(bytesMax / 2),
        `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
        `{${names}}`,
        `{${Array(5_000).fill('"token":"t"').join(',')}}`,
        filled('{"token":"', 'a.', '"}'),
        filled('{"token":"', '\\u0000', '"}'),
        filled('{"client_id":"', '\\ud800', '","client_secret":"s"}'),
        filled(`{${fields},"grant_type":"`, 'é', '"}'),
        filled(`{${fields},"grant_type":"refresh_token","refresh_token":"`, 'a.', '"}'),
        `{"client_id":${'9'.repeat(60_000)}}`,
      ],
      runs: 40,
      what: (text) => `JSON ${text.slice(0, 60)}`,
    },
    (text) => toAll(text, { 'content-type': 'application/json' }),
    four(small),
  );
});

it('forms that are refused cost next to nothing, however many parameters they have', async () => {
  const filled = (item: string) => item.repeat(Math.floor(bytesMax / item.length));
  await searchWithin(
    app,
    {
      requests: fc
        .array(
          fc.tuple(fc.constantFrom('token', 'grant_type', 'client_id', 'scope', 'x'), fc.string({ maxLength: 200 })),
        )
        .map((pairs) => new URLSearchParams(pairs).toString()),
      regressions: [
        filled('a&'),
        filled('&'),
        filled('%'),
        filled('a=%C3%28&'),
        filled('token=t&'),
        `token=${filled('%2E').slice(6)}`,
        `grant_type=urn:ietf:params:oauth:grant-type:token-exchange&${filled('audience=a&').slice(70)}`,
        `grant_type=refresh_token&scope=${filled('s+').slice(40)}`,
      ],
      runs: 40,
      what: (text) => `a form ${text.slice(0, 60)}`,
    },
    (text) => toAll(text, formType),
    four(small),
  );
});

it('credentials that are wrong cost two comparisons, however they are presented', async () => {
  const wrong: [string, Record<string, string>][] = [
    ['a wrong secret', { ...client, client_secret: 'wrong' }],
    ['an unknown client', { client_id: 'c'.repeat(100), client_secret: 's'.repeat(72) }],
    ['a client id without end', { client_id: 'c'.repeat(50_000), client_secret: 's' }],
    ['a secret without end', { ...client, client_secret: 's'.repeat(50_000) }],
  ];
  for (const [what, credentials] of wrong) {
    const body = { ...renewalBody('x'), profileId: 'p', ...credentials };
    await expectWithin(app, what, async () => (await app.post('/token', body)).text, compared);
    const form = new URLSearchParams(body).toString();
    await expectWithin(app, `${what}, form`, async () => (await app.post('/token', form, formType)).text, compared);
  }
  const basic = { ...formType, authorization: `Basic ${Buffer.alloc(11_000, 'a:').toString('base64')}` };
  await expectWithin(app, 'Basic without end', () => toAll('token=t', basic), four(small));
});

it('tokens that are refused cost no statement that theirs would not, and no more than their bytes', async () => {
  const { access_token, refresh_token } = await exchange();
  const [header, payload, signature] = access_token.split('.') as [string, string, string];
  const tokens: Record<string, string> = {
    'another signature': `${header}.${payload}.${'A'.repeat(signature.length)}`,
    'a long signature': `${header}.${payload}.${'A'.repeat(50_000)}`,
    'a long payload': `${header}.${'A'.repeat(50_000)}.${signature}`,
    'a long header': `${'A'.repeat(50_000)}.${payload}.${signature}`,
    'dots alone': '.'.repeat(60_000),
    'a renewal token cut': refresh_token.slice(0, -1),
  };
  for (const [what, token] of Object.entries(tokens)) {
    const all = async () => {
      const renewed = await app.post('/token', { ...renewalBody(token), profileId: 'p', ...client });
      const exchanged = await app.post('/token', { ...exchangeBody(token), profileId: 'p', ...client });
      return [...(await toAll({ token, ...client })), renewed.text, exchanged.text];
    };
    await expectWithin(app, what, all, { ...four(small), statements: 16 });
  }
});
