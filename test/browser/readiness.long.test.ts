/** Which clients are ready for the hardened policy, and why the others aren't, as an administrator sees it. */
import { insert, newClient } from '../support/records.js';
import { violationsOf } from './support/axe.js';
import { arrive, openBrowser, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

const at = (days: number) => new Date(Date.now() - days * 86_400_000);

/** A client that is ready, one that isn't, and the demonstration's, of which nothing was seen. */
async function startRehearsal(path: string) {
  const app = await startConsole({ TOKEN_POLICY: 'rehearsal' });
  const { context } = app;
  const portal = (await newClient(context, 'secret', { name: 'Portal' })).clientId;
  const field = (await newClient(context, 'secret', { name: 'Field app' })).clientId;
  const found = (client_id: string, operation: string, verdict: string, count: number) =>
    insert(context.sql, 'policy_verdicts', {
      client_id,
      operation,
      verdict,
      first_seen_at: at(3),
      last_seen_at: at(1),
      count,
    });
  await found(field, '/token', 'passed', 1_200);
  await found(portal, '/token', 'passed', 90);
  await found(portal, '/revoke', 'noCredentials', 212);
  await found(portal, '/token', 'reuse', 3);
  await found('', '/validate-token', 'noCredentials', 9_120);
  const person = await visit(app);
  await arrive(app, person, 'Grace Hall', path.replace(':portal', portal));
  return { ...person, portal };
}

it('the page of clients says how many are ready, and of the others why not', async () => {
  const { page, faults } = await startRehearsal('/clients');
  const notice = page.getByRole('status').filter({ hasText: 'hardened policy' });
  expect(await notice.innerText()).toMatch(/1 of 3 clients are ready .* Of 1 nothing was seen in 14 days\./);
  expect(await notice.innerText()).toContain(
    'A caller without a client sends no client credentials at /validate-token: 9,120 times.',
  );
  for (const [name, state] of [
    ['Portal', 'not ready'],
    ['Field app', 'ready'],
    ['Demo', 'not seen'],
  ] as const)
    await page
      .getByRole('row', { name: new RegExp(name, 'i') })
      .getByText(state, { exact: true })
      .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Portal' }).click();
  await page.getByRole('heading', { level: 1, name: /Portal/ }).waitFor();
  expect(faults).toEqual([]);
});

it('the page of a client says what hardened would refuse and what to do; it is hardened there, and back', async () => {
  const { page, faults } = await startRehearsal('/clients/:portal');
  const card = page.getByRole('region', { name: 'Hardened policy' });
  await card.getByText('It sends no client credentials at /revoke').waitFor();
  expect(await card.innerText()).toMatch(/212 times, last .*Send client_id and client_secret/);
  expect(await violationsOf(page)).toEqual([]);
  await card.getByRole('button', { name: 'Harden…' }).click();
  await page.getByText('It is not known to be ready').waitFor();
  await page.getByRole('button', { name: 'Harden it' }).click();
  await card.getByText('hardened', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Back to the service’s…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the service’s' }).click();
  await card.getByText('not ready', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

it('the list of clients has no sentence and no column about readiness without a rehearsal', async () => {
  const app = await startConsole();
  const person = await visit(app);
  await arrive(app, person, 'Grace Hall', '/clients');
  expect(await person.page.locator('body').innerText()).not.toContain('ardened policy');
});
