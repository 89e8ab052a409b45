/** docs/samples/receiver: an API that verifies tokens itself refuses within a second what a person has lost, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestGraph } from '../../graphql/graph.js';
import { newConsumer } from '../../operations/consumer.js';
import { freePort } from '../../support/freePort.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { newHolder, newScopeType } from '../../support/records.js';
import { until } from '../../support/until.js';
import { newPush, startEventApp } from './eventApp.js';

const folder = new URL('../../../../docs/samples/receiver/', import.meta.url);

describe('the rule', () => {
  interface Refusals {
    add(claims: object): void;
    refuses(claims: object): boolean;
    forget(): void;
  }
  let now = 1_000;
  let refusals: Refusals;
  beforeEach(async () => {
    const { openRefusals } = (await import(new URL('refusals.mjs', folder).href)) as {
      openRefusals(clock: () => number): Refusals;
    };
    now = 1_000;
    refusals = openRefusals(() => now);
  });
  const revoked = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
  const event = (subject: object, at = 1_000, type = revoked) => ({
    sub_id: { format: 'complex', ...subject },
    events: { [type]: { event_timestamp: at } },
  });
  const user = { user: { format: 'iss_sub', iss: 'i', sub: 'ada' } };
  const group = { group: { format: 'opaque', id: 'p' } };
  const token = (sub: string, profileId: string, iat: number) => ({ sub, profileId, iat });

  it.each([
    ['of this person and profile', { ...user, ...group }, [true, false, false]],
    ['of this person', user, [true, true, false]],
    ['of this profile', group, [true, false, true]],
  ])('refuses tokens %s until the moment of the event, and no later ones', (_case, subject, expected) => {
    refusals.add(event(subject));
    const tokens = (iat: number) => [token('ada', 'p', iat), token('ada', 'q', iat), token('bob', 'p', iat)];
    expect(tokens(1_000).map((each) => refusals.refuses(each))).toEqual(expected);
    expect(tokens(1_001).map((each) => refusals.refuses(each))).toEqual([false, false, false]);
  });

  it('forgets after an hour, not before, and an older event changes nothing', () => {
    refusals.add(event(user, 1_000));
    refusals.add(event(user, 900));
    now = 4_600;
    refusals.forget();
    expect(refusals.refuses(token('ada', 'p', 1_000))).toBe(true);
    now = 4_601;
    refusals.forget();
    expect(refusals.refuses(token('ada', 'p', 1_000))).toBe(false);
  });

  it('has no more than 40 lines', async () => {
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(new URL('refusals.mjs', folder), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });
});

describe('the API', () => {
  let graph: TestGraph;
  let api: string;
  let child: ChildProcess;
  beforeAll(async () => {
    graph = await startEventApp();
    const port = await freePort();
    api = `http://127.0.0.1:${port}`;
    const { PATH } = process.env;
    child = spawn(process.execPath, [fileURLToPath(new URL('server.mjs', folder))], {
      env: {
        PATH,
        GATEHOUSE: graph.app.url,
        AUDIENCE: 'https://things.example',
        PUSH_AUTHORIZATION: 'Bearer of-the-sample',
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    closeAtEnd(async () => {
      child.kill();
    });
    await once(child.stdout!, 'data');
    await newPush(graph, `${api}/events`, {
      audience: 'https://things.example',
      authorizationHeader: 'Bearer of-the-sample',
    });
  });
  const statusWith = async (token: string) =>
    (await fetch(`${api}/things`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('serves a token, refuses it when its session has ended, and serves the next one', async () => {
    const consumer = await newConsumer(graph.app);
    const { json } = await consumer.exchange();
    expect(await statusWith(json.access_token)).toBe(200);
    const other = (await (await newConsumer(graph.app)).exchange()).json.access_token;
    await graph.app.post('/revoke', { token: json.refresh_token });
    await until(async () => (await statusWith(json.access_token)) === 401);
    expect(await statusWith(other)).toBe(200);
    await until(async () => (await statusWith((await consumer.exchange()).json.access_token)) === 200);
  });

  it('hears that a profile with thousands of scopes changed, and what follows', async () => {
    const { context } = graph.app;
    const { profileId } = await newHolder(context);
    const typeId = await newScopeType(context, 'plot');
    await context.sql.transaction(async (own) => {
      await own.rows(
        `with made as (insert into access_scopes (name, access_scope_key, access_scope_type_id)
           select 'Plot ' || n, 'district-north-' || n, $1 from generate_series(1, 3000) n returning access_scope_id)
         insert into profile_access_scopes (profile_id, access_scope_id) select $2, access_scope_id from made`,
        [typeId, profileId],
      );
    });
    const consumer = await newConsumer(graph.app);
    const { json } = await consumer.exchange();
    await graph.app.post('/revoke', { token: json.refresh_token });
    const problems = () => context.sql.rows('select last_problem from event_streams where last_problem is not null');
    await until(async () => (await statusWith(json.access_token)) === 401 || (await problems()).length > 0);
    expect(await problems()).toEqual([]);
  });

  it('takes no event without its Authorization, and none that is not signed by Gatehouse', async () => {
    const post = (authorization: string) =>
      fetch(`${api}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/secevent+jwt', authorization },
        body: 'a.b.c',
      });
    expect((await post('Bearer wrong')).status).toBe(401);
    expect((await post('Bearer of-the-sample')).status).toBe(400);
  });
});
