/** Every screen passes axe with its best practices, at two sizes and in two themes, and keeps to its own policy. */
import { updateRole } from '../../src/services/people/users.js';
import { violationsOf } from './support/axe.js';
import { arrive, openBrowser, startConsole, type Visit, visit } from './support/browser.js';
import { recordUsage, screens } from './support/screens.js';

let at: Visit;
beforeAll(async () => {
  await openBrowser();
  const app = await startConsole({ USAGE_RETENTION_DAYS: '9' });
  await recordUsage(app);
  for (const description of ['Reads', 'Reads reports']) await updateRole(app.context, 'analyst', { description });
  await app.context.sql.rows(
    "insert into connectors (connector_id, idpname, role_id, token_hash) values ('entra', 'development', 'operator', '')",
  );
  at = await visit(app);
  await arrive(app, at, 'Grace Hall');
});

it.each(screens)('$name', async ({ path, act, meetsConflict }) => {
  const { page, faults, go } = at;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate('sessionStorage.clear()');
  await go(path);
  await act?.(page);

  expect(await violationsOf(page)).toEqual([]);
  expect(faults.splice(0)).toEqual(meetsConflict ? [expect.stringMatching(/\b409\b/)] : []);
});
