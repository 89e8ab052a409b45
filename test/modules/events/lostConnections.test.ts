/** Every connection to the database is ended, again and again, while events are delivered: none is lost, none is invented. */
import type { TestGraph } from '../../graphql/graph.js';
import { newHolder } from '../../support/records.js';
import { until } from '../../support/until.js';
import { newPush, startEventApp } from './eventApp.js';
import { startReceiver } from './receiver.js';

let graph: TestGraph;

it('each cause has its event, and an event that comes twice has the same id', async () => {
  graph = await startEventApp();
  const receiver = await startReceiver();
  await newPush(graph, receiver.url, { events: ['session-revoked'] });
  const { sql } = graph.app.context;
  const holders = await Promise.all(Array.from({ length: 60 }, () => newHolder(graph.app.context)));
  for (const [number, { userId }] of holders.entries()) {
    // a statement whose connection was ended is asked again, as a caller does
    await until(() =>
      sql.rows('delete from user_profiles where user_id = $1', [userId]).then(
        () => true,
        () => false,
      ),
    );
    if (number % 10 === 9)
      await sql
        .rows(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        )
        .catch(() => undefined);
  }
  const claims = () =>
    receiver.received.map(({ body }) => JSON.parse(Buffer.from(body.split('.')[1]!, 'base64url').toString()));
  const subjects = () => new Map(claims().map(({ jti, sub_id: subject }) => [jti, subject.user.sub]));
  await until(() => subjects().size === holders.length);
  expect([...subjects().values()].toSorted()).toEqual(holders.map(({ userGuid }) => userGuid).toSorted());
});
