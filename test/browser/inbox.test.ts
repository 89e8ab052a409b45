/** Proposals in the console: proposed in the review, decided in the inbox. */
import { storedPlan } from '../../src/graphql/schema/changes.js';
import { proposeChanges } from '../../src/services/proposals/proposals.js';
import type { TestApp } from '../support/app.js';
import { arrive, grace, openBrowser, startConsole, visit } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';

beforeAll(openBrowser);

const bruno = 'de300000-0000-4000-8000-000000000002';
const harbour = 'de320000-0000-4000-8000-000000000003';

/** By Bruno, who cannot sign in here: who approves is another. */
const proposeByBruno = ({ context }: TestApp): Promise<string> =>
  proposeChanges(
    { ...context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
    [{ updateAccessScope: { accessScopeGuid: harbour, input: { isActive: false } } }],
    storedPlan,
    { note: 'The harbour is closed for repairs' },
  );

it('what waits is counted in the menu, shows who loses access, and is approved', async () => {
  const app = await startConsole();
  await proposeByBruno(app);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/inbox');
  const { page } = at;
  await page.getByRole('link', { name: 'Inbox 1 waiting for you' }).waitFor();
  await page.getByText('1 proposal waits for you').waitFor();
  await page.getByText('The harbour is closed for repairs').waitFor();
  await page
    .getByText(/loses? access/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Reject' }).isDisabled();
  await page.getByRole('button', { name: 'Approve and apply' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  const [scope] = await app.context.sql.rows<{ is_active: boolean }>(
    'select is_active from access_scopes where access_scope_guid = $1',
    [harbour],
  );
  expect(scope!.is_active).toBe(false);
});

it('with APPROVALS=all the review proposes, with a note, and the author cannot approve', async () => {
  const { page } = await grace('/matrix?type=site', { APPROVALS: 'all' });
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('people gain access').waitFor();
  expect(await sheet.getByRole('button', { name: /Apply/ }).count()).toBe(0);
  expect(await sheet.getByRole('button', { name: 'Propose' }).isDisabled()).toBe(true);
  await sheet.getByLabel('Note').fill('the harbour team needs it');
  await sheet.getByRole('button', { name: 'Propose' }).click();
  await page.getByText('Another person decides').waitFor();
  expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText(/^Withdrawn by/).waitFor();
});
