/** Event streams with several processes: one delivers, another takes over when it is killed, nothing is lost and nothing is invented. */
import { jest } from '@jest/globals';
import { connect } from '../../../src/database/connect.js';
import { startDispatcher } from '../../../src/modules/events/dispatcher.js';
import type { Sql } from '../../../src/sql.js';
import type { TestGraph } from '../../graphql/graph.js';
import { encryptionKey, type ServiceProcess, startProcess } from '../../operations/process.js';
import { openClient } from '../../support/cluster.js';
import { newHolder } from '../../support/records.js';
import { elapse, until } from '../../support/until.js';
import { delivering, newPush, newWebhook, startEventApp } from './eventApp.js';
import { startReceiver } from './receiver.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startEventApp();
});

const another = (): Promise<ServiceProcess> =>
  startProcess({
    ISSUER_URL: graph.app.context.issuerUrl,
    KEY_ENCRYPTION_KEY: encryptionKey,
    DATABASE_URL: graph.app.database.url,
    PRIVATE_PROVIDER_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'info',
    ID_TOKEN_ISSUERS: JSON.stringify(graph.app.context.config.idTokenIssuers),
  });
const isDelivering = ({ errors }: ServiceProcess): boolean => errors().includes('this process delivers events');

it('one process delivers, another goes on when it is killed, and each cause has its event', async () => {
  const receiver = await startReceiver();
  await newPush(graph, receiver.url, { events: ['session-revoked'] });
  const holders = await Promise.all(Array.from({ length: 120 }, () => newHolder(graph.app.context)));
  // the service of the test ends; from now on only processes deliver
  const first = await another();
  const second = await another();
  await graph.app.running.close();
  const direct = await connect({ url: graph.app.database.url, poolMax: 4, timeoutMs: 60_000 });
  try {
    await until(() => isDelivering(first) !== isDelivering(second));
    const [leader, standby] = isDelivering(first) ? [first, second] : [second, first];
    // causes go on while the one that delivers is killed
    for (const [number, { userId }] of holders.entries()) {
      await direct.sql.rows('delete from user_profiles where user_id = $1', [userId]);
      if (number === 40) void leader.kill();
      // a receiver that dies, too, is repeated
      receiver.answer =
        number % 10 === 5
          ? (_request, response) => response.destroy()
          : (_request, response) => response.writeHead(202).end();
    }
    await until(() => isDelivering(standby));
    const claims = () =>
      receiver.received.map(({ body }) => JSON.parse(Buffer.from(body.split('.')[1]!, 'base64url').toString()));
    await until(() => new Set(claims().map(({ jti }) => jti)).size === holders.length);
    await elapse(500);
    const heard = claims();
    const subjectOf = new Map(heard.map(({ jti, sub_id: subject }) => [jti, subject.user.sub]));
    expect([...subjectOf.values()].toSorted()).toEqual(holders.map(({ userGuid }) => userGuid).toSorted());
    for (const { jti, sub_id: subject } of heard) expect(subjectOf.get(jti)).toBe(subject.user.sub);
  } finally {
    await direct.close();
  }
});

/** The same, and each statement is noted. */
const noting = (sql: Sql, seen: string[]): Sql => ({
  ...sql,
  rows: (text, values, form) => {
    seen.push(text);
    return sql.rows<never>(text, values, form);
  },
  transaction: (work) => sql.transaction((own) => work(noting(own, seen))),
});

/** One of its own, and what it asks. */
async function openDispatcher() {
  const direct = await connect({ url: graph.app.database.url, poolMax: 4, timeoutMs: 60_000 });
  const seen: string[] = [];
  const network = { privateHosts: ['127.0.0.1'] };
  const dispatcher = startDispatcher({ ...graph.app.context, sql: noting(direct.sql, seen), network });
  const close = async () => {
    await dispatcher.stop();
    await direct.close();
  };
  return { dispatcher, seen, close };
}

it('a process that does not deliver asks who does once in some seconds, whatever happens in it', async () => {
  const receiver = await startReceiver();
  await newWebhook(graph, receiver.url);
  await graph.app.running.close();
  const first = await openDispatcher();
  await until(() => first.seen.length > 10);
  const second = await openDispatcher();
  await until(() => second.seen.length > 0);
  const seenOfFirst = first.seen.length;
  // it hears of changes all the time, until the first has looked a few times more
  await until(() => {
    second.dispatcher.noticed();
    return first.seen.length > seenOfFirst + 2;
  });
  expect(second.seen.filter((statement) => statement.includes('pg_try_advisory_xact_lock')).length).toBeLessThanOrEqual(
    3,
  );
  await second.close();
  await first.close();
});

it('the connection with the lock is used before the server ends it as one of a process that is gone', async () => {
  await newWebhook(graph, (await startReceiver()).url);
  const { sql } = graph.app.context;
  const lastStatement = async () => {
    const [process] = await sql.rows<{ query: string }>(
      `select query from pg_stat_activity where pid in (${delivering})`,
    );
    return process?.query;
  };
  await until(async () => (await lastStatement())?.includes('gatehouse events'));
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 30_000);
  await until(async () => (await lastStatement()) === 'select');
  jest.restoreAllMocks();
});

it('a migration gets every table while a process delivers', async () => {
  const receiver = await startReceiver();
  // the first hears of the second
  for (let count = 0; count < 2; count++) await newWebhook(graph, receiver.url);
  await until(() => receiver.received.length > 0);
  const client = await openClient(graph.app.database.url);
  await client.query("set lock_timeout = '5s'");
  const tables = await graph.app.context.sql.rows<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  for (const { name } of tables) {
    await client.query('begin');
    await client.query(`lock table ${name} in access exclusive mode`);
    await client.query('rollback');
  }
});

describe('without causes', () => {
  const seconds = 6;
  /** What the delivery asks in that time, when all is done. */
  async function statementsWhileIdle(): Promise<string[]> {
    await graph.app.running.close();
    const { seen, close } = await openDispatcher();
    try {
      await elapse(8_000);
      expect(seen.length).toBeGreaterThan(0);
      seen.splice(0);
      await elapse(seconds * 1_000);
      return [...seen];
    } finally {
      await close();
    }
  }

  it('there is no statement while there is no stream', async () => {
    expect(await statementsWhileIdle()).toEqual([]);
  });

  it('ten streams cost at most one statement a second together', async () => {
    const receiver = await startReceiver();
    for (let count = 0; count < 5; count++) {
      await newWebhook(graph, receiver.url);
      await newPush(graph, receiver.url);
    }
    await until(() => receiver.received.length > 0);
    const statements = await statementsWhileIdle();
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.length).toBeLessThanOrEqual(seconds);
  });
});

it('a renewal has the same statements with streams as without', async () => {
  const { newConsumer } = await import('../../operations/consumer.js');
  const consumer = await newConsumer(graph.app);
  const statementsOfRenewal = async () => {
    const { json } = await consumer.exchange();
    graph.app.takeStatements();
    await consumer.renew(json.refresh_token);
    return graph.app.takeStatements().filter((text) => text.includes('tokens'));
  };
  const before = await statementsOfRenewal();
  const receiver = await startReceiver();
  for (let count = 0; count < 10; count++) await newPush(graph, receiver.url);
  expect(await statementsOfRenewal()).toEqual(before);
  const [causes] = await graph.app.context.sql.rows<{ count: number }>(
    `select count(*)::int as count from event_causes where kind = 'session'`,
  );
  expect(causes).toEqual({ count: 0 });
});
