/** Remembered answers: given again while nothing has changed, never stale in any process, never another caller's. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { encodings } from '../../src/http/encoding/encodings.js';
import { newApplication, newMapping, newScopes, system } from '../rest/restApp.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openCallers } from '../support/callers.js';
import { askWire, decoded, type WireAnswer } from '../support/encodedAnswers.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

const settings = { ISSUER_URL: 'http://gatehouse.example', ANSWERS_REMEMBERED_MB: '64' };
let one: TestApp;
let other: TestApp;
let guid: string;
let scopes: string[];
let bearer: (given: string[]) => string;
beforeAll(async () => {
  one = await startTestApp(settings);
  const issuers = JSON.stringify(one.context.config.idTokenIssuers);
  other = await startTestApp({ ...settings, DATABASE_URL: one.database.url, ID_TOKEN_ISSUERS: issuers });
  scopes = await newScopes(one.context.sql, 12);
  const { application_id, application_guid } = await newApplication(one.context.sql);
  guid = application_guid;
  for (const scope of scopes.slice(0, 10)) await newMapping(one.context.sql, application_id, scope);
  const tokenOf = await openCallers(one.context);
  bearer = (given) => tokenOf({ userGuid: system, profileId: 'p', roleId: 'r', scopes: given });
});

interface Asking {
  app?: TestApp;
  scopes?: string[];
  headers?: Record<string, string>;
  method?: string;
}
const headersOf = ({ scopes: given = ['admin:write'], headers }: Asking) => ({
  'api-version': '1.0',
  authorization: `Bearer ${bearer(given)}`,
  ...headers,
});
const read = (path: string, asking: Asking = {}): Promise<WireAnswer> =>
  askWire((asking.app ?? one).url + path, { method: asking.method ?? 'GET', headers: headersOf(asking) });
const ask = (query: string, variables: object = {}, asking: Asking = {}): Promise<WireAnswer> =>
  askWire(`${(asking.app ?? one).url}/graphql`, {
    method: 'POST',
    headers: headersOf(asking),
    body: { query, variables },
  });
const mutate = async (mutation: string) => {
  const answer = JSON.parse(decoded(await ask(`mutation { ${mutation} }`)));
  expect(answer.errors).toBeUndefined();
  return answer.data;
};

const isState = (text: string) => text.includes('as logins');
const isCaller = (text: string) => text.includes('granting');
/** Statements of the work but for those that judge callers and say the version. */
async function costOf(work: () => Promise<unknown>, of = one): Promise<string[]> {
  of.takeStatements();
  await work();
  return of.takeStatements().filter((text) => !isState(text) && !isCaller(text));
}
/** Asks until it costs nothing: what is remembered is so once the version was asked for again. */
async function warm(work: () => Promise<WireAnswer>, of = one): Promise<WireAnswer> {
  for (;;) {
    let answer: WireAnswer | undefined;
    const cost = await costOf(async () => {
      answer = await work();
    }, of);
    if (cost.length === 0) return answer!;
  }
}

const view =
  'query View($first: Int) { applications(first: $first) { totalCount nodes { name applicationGuid createdByNavigation { firstName } translations { nodes { translatedText } } accessScopeApplicationsMappers(first: 100) { nodes { state accessScope { name accessScopeType { name } } } } } } }';
const reads: Record<string, (asking?: Asking) => Promise<WireAnswer>> = {
  'the list': (asking) => read('/api/applications?$count=true', asking),
  'the mappings': (asking) => read(`/api/applications/${guid}/accessScopes`, asking),
  'the application': (asking) => read(`/api/applications/${guid}`, asking),
  'the graph': (asking) => ask(view, { first: 10 }, asking),
};
const comparable = ({
  status,
  headers: { date, connection, 'keep-alive': _, traceparent, ...headers },
}: WireAnswer) => ({
  status,
  headers,
});

describe.each(Object.keys(reads))('%s', (name) => {
  const asked = reads[name]!;

  it('is given again, to the byte and with the same headers, by nothing but the version', async () => {
    const first = await asked();
    const again = await warm(asked);
    expect(again.bytes!.equals(first.bytes!)).toBe(true);
    const { 'transfer-encoding': _, 'content-length': __, ...headers } = comparable(first).headers;
    const length = String(again.bytes!.length);
    expect(comparable(again)).toMatchObject({ status: 200, headers: { ...headers, 'content-length': length } });
  });

  it.each(encodings)('says the same in %s, when it is coded and when that was kept', async (encoding) => {
    const plain = decoded(await warm(asked));
    const asking = { headers: { 'accept-encoding': encoding } };
    for (let count = 0; count < 3; count++) {
      const answer = await asked(asking);
      expect([answer.headers['content-encoding'], decoded(answer)]).toEqual([encoding, plain]);
    }
  });

  it('HEAD is as it is without memory', async () => {
    if (name === 'the graph') return;
    await warm(asked);
    const answer = await asked({ method: 'HEAD' });
    expect([answer.status, answer.bytes!.length]).toEqual([200, 0]);
  });

  it('is judged by who asks: a caller without permission, or without a session, is refused', async () => {
    await warm(asked);
    const refused = await asked({ scopes: [] });
    expect(name === 'the graph' ? decoded(refused).includes('FORBIDDEN') : refused.status === 403).toBe(true);
    const stranger = await asked({ headers: { authorization: 'Bearer nobody' } });
    expect(stranger.status).toBe(401);
  });

  it('is not given to a caller whose session was revoked after it was made, in any process', async () => {
    await warm(asked);
    await one.context.sql.rows(`update tokens set is_revoked = true where token_type = 'admin'`);
    expect((await asked()).status).toBe(401);
    expect((await asked({ app: other })).status).toBe(401);
    await one.context.sql.rows(`update tokens set is_revoked = false where token_type = 'admin'`);
    expect((await asked()).status).toBe(200);
  });

  it('is another one for who may do something else', async () => {
    await warm(asked);
    const cost = await costOf(() => asked({ scopes: ['admin:read', 'admin:security'] }));
    expect(cost).not.toEqual([]);
  });

  it('has every change that was answered before, in each process', async () => {
    for (let round = 0; round < 5; round++) {
      await warm(asked);
      await warm(() => asked({ app: other }), other);
      const wanted = `${name} ${round}`;
      await mutate(`updateApplication(applicationGuid: "${guid}", input: { name: "${wanted}" }) { name }`);
      await mutate(`updateAccessScope(accessScopeGuid: "${scopes[0]}", input: { name: "${wanted}" }) { name }`);
      const seen = await Promise.all([asked({ app: other }), asked(), asked({ app: other })]);
      for (const answer of seen) expect(decoded(answer)).toContain(wanted);
    }
  });

  it('has what psql changed', async () => {
    await warm(asked);
    const wanted = `by hand: ${name}`;
    await one.context.sql.rows('update access_scopes set name = $1 where access_scope_guid = $2', [wanted, scopes[1]]);
    await one.context.sql.rows('update applications set name = $1 where application_guid = $2', [wanted, guid]);
    expect(decoded(await asked())).toContain(wanted);
  });
});

it('an unchanged list is 304, remembered or not', async () => {
  const etag = (await warm(reads['the list']!)).headers.etag!;
  const unchanged = await read('/api/applications?$count=true', { headers: { 'if-none-match': etag } });
  expect([unchanged.status, unchanged.bytes!.length, unchanged.headers.etag]).toEqual([304, 0, etag]);
  await mutate(`createRole(input: { roleId: "etag", name: "n" }) { roleId }`);
  const changed = await read('/api/applications?$count=true', { headers: { 'if-none-match': etag } });
  expect(changed.status).toBe(200);
});

it('a sign-in of a listed user is in the next answer, though it makes no version', async () => {
  const holder = await newHolder(one.context);
  const client = await newClient(one.context);
  await newApplication(one.context.sql, { created_by: holder.userGuid });
  const list = () => read('/api/applications');
  await warm(list);
  const signedIn = await other.post('/token', {
    ...exchangeBody(one.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  expect(signedIn.status).toBe(200);
  const [row] = await one.context.sql.rows<{ at: string }>(
    'select last_login_date as at from users where user_guid = $1',
    [holder.userGuid],
  );
  expect(decoded(await list())).toContain(`"lastLoginDate":"${row!.at}"`);
  await warm(list);
  // asked about, it decides which rows there are
  for (const field of ['lastLoginDate', '%6CastLoginDate'])
    for (let count = 0; count < 4; count++)
      expect(await costOf(() => read(`/api/applications?$orderby=createdByNavigation/${field}`))).not.toEqual([]);
});

it.each([
  'query { clients(first: 1) { nodes { clientId } } }',
  'query { tokens(first: 1) { nodes { isRevoked } } }',
  'query { auditEvents(first: 1) { nodes { auditEventId } } }',
  'query { users(first: 3) { nodes { userGuid lastLoginDate } } }',
  'query { users(first: 3, orderBy: [{ lastLoginDate: ASC }]) { nodes { userGuid } } }',
  'query { users(first: 3, filter: { userProfiles: { some: { user: { lastLoginDate: { isNull: true } } } } }) { nodes { userGuid } } }',
  'query { users(first: 3) { nodes { userGuid tokens(first: 1) { nodes { isRevoked } } } } }',
  'query { changeSets(first: 1) { nodes { changeSetGuid } } }',
  'query { viewer { user { firstName } } }',
])('%s is never remembered: it moves without a version', async (query) => {
  const asking = { scopes: ['admin:write', 'admin:security'] };
  for (let count = 0; count < 4; count++) {
    one.takeStatements();
    expect((await ask(query, {}, asking)).status).toBe(200);
    const statements = one.takeStatements();
    expect(statements.filter(isState)).toEqual([]);
    expect(statements.filter((text) => !isCaller(text))).not.toEqual([]);
  }
});

it('variables that are nested past all bounds are refused as without memory', async () => {
  const nested = `${'{"and":['.repeat(5_000)}{}${']}'.repeat(5_000)}`;
  const filtered = 'query ($given: ApplicationFilter) { applications(first: 1, filter: $given) { nodes { name } } }';
  const plain = '{ applications(first: 1) { nodes { name } } }';
  const askWith = (query: string) =>
    one.post('/graphql', `{"query":${JSON.stringify(query)},"variables":{"given":${nested}}}`, headersOf({}));
  expect((await askWith(filtered)).json.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect((await askWith(plain)).json.errors).toBeUndefined();
});

it('the answer of a query whose variables name tables that move without a version, or that was refused in part, is not remembered', async () => {
  const query = 'query ($order: [UserOrderBy!]) { users(first: 3, orderBy: $order) { nodes { userGuid } } }';
  for (let count = 0; count < 4; count++)
    expect(await costOf(() => ask(query, { order: [{ lastLoginDate: 'ASC' }] }))).not.toEqual([]);
  const wrong = 'query ($first: Int) { applications(first: $first) { nodes { name } } }';
  for (let count = 0; count < 3; count++) {
    expect(decoded(await ask(wrong, { first: 1_001 }))).toContain('BAD_USER_INPUT');
    await one.context.sql.rows('select 1');
  }
});

it('an answer whose reader left midway is not remembered', async () => {
  await one.context.sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select noise, noise, reverse(noise), 'web', 'tile', 'internal', $1
     from generate_series(1, 12000) i, lateral (select string_agg(encode(sha256((i * 8 + n)::text::bytea), 'hex'), '') noise from generate_series(1, 3) n) made`,
    [system],
  );
  const path = '/api/applications?$filter=appType eq %27web%27';
  for (let round = 0; round < 3; round++) {
    const asked = get(one.url + path, { headers: headersOf({}), agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    answer.destroy();
    await once(answer, 'close');
  }
  expect(await costOf(() => read(path))).not.toEqual([]);
  const whole = decoded(await read(path));
  expect(JSON.parse(whole).length).toBeGreaterThan(12_000);
  await one.context.sql.rows('delete from applications where length(name) > 100');
});
