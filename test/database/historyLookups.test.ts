/** What a change costs beside a long history. */
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

it('no change reads the whole history, also where most of it comes from one import', async () => {
  const { sql } = app.context;
  await sql.transaction(async ({ rows }) => {
    const [set] = await rows<{ id: string }>(
      "insert into change_sets (actor, face) values (gen_random_uuid(), 'cli') returning change_set_id as id",
    );
    await rows(
      `insert into record_versions (change_set_id, record_table, record_key, after)
       select $1, 'roles', n::text, '{}' from generate_series(1, 20000) n`,
      [set!.id],
    );
  });
  await sql.rows('analyze record_versions');
  const scans = await sql.transaction(async ({ rows }) => {
    await rows('set constraints all immediate');
    // a plan for any set is considered from the sixth on
    for (let count = 0; count < 12; count += 1)
      await rows("insert into change_sets (actor, face) values (gen_random_uuid(), 'rest')");
    const [read] = await rows<{ scans: number }>(
      "select seq_scan::int as scans from pg_stat_xact_user_tables where relname = 'record_versions'",
    );
    return read!.scans;
  });
  expect(scans).toBe(0);
});
