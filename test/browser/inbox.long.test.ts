/** Proposals in the console: proposed in the review, decided in the inbox. */
import { requestAccess } from '../../src/modules/governance/proposals/accessRequests.js';
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { updateRole, updateUser } from '../../src/services/people/users.js';
import type { TestApp } from '../support/app.js';
import { arrive, grace, openBrowser, startConsole, visit } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';
import { comeBack, slowDown } from './support/slow.js';

beforeAll(openBrowser);

const bruno = 'de300000-0000-4000-8000-000000000002';
const assetRegister = 'de330000-0000-4000-8000-000000000005';
const harbour = 'de320000-0000-4000-8000-000000000003';

const diego = 'de300000-0000-4000-8000-000000000004';
const stateOf = async ({ context }: TestApp, guid: string): Promise<string> =>
  (await context.sql.rows<{ state: string }>('select state from proposals where proposal_guid = $1', [guid]))[0]!.state;

/** By Bruno, who cannot sign in here: who approves is another. */
const proposeByBruno = ({ context }: TestApp): Promise<string> =>
  proposeChanges(
    { ...context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
    [{ updateAccessScope: { accessScopeGuid: harbour, input: { isActive: false } } }],
    { note: 'The harbour is closed for repairs' },
  );

it('the menu counts waiting proposals; one shows who loses access and is approved', async () => {
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
  expect(await page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Approve and apply' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  const [scope] = await app.context.sql.rows<{ is_active: boolean }>(
    'select is_active from access_scopes where access_scope_guid = $1',
    [harbour],
  );
  expect(scope!.is_active).toBe(false);
});

describe('the proposal that is read stays until the reader goes on', () => {
  it('after its approval, so that a click too many approves no other one', async () => {
    const app = await startConsole();
    const [first, next] = [await proposeByBruno(app), await proposeByBruno(app)];
    const at = await visit(app);
    await arrive(app, at, 'Grace Hall', '/inbox');
    const { page } = at;
    const approve = page.getByRole('button', { name: 'Approve and apply' });
    const { waits, goOn } = await slowDown(page, (body) => body.includes('"ProposalCounts"'));
    await approve.click();
    await waits;
    await page.locator(`#proposal-${first}`).waitFor({ state: 'detached' });
    expect(await page.locator(`#proposal-${next}`).getAttribute('aria-current')).toBe('false');
    await page.getByText(/^Approved and applied by Grace Hall/).waitFor();
    expect(await approve.count()).toBe(0);
    goOn();
    await page.getByText('Approved and applied.').waitFor();
    expect(await approve.count()).toBe(0);
    expect(await stateOf(app, next)).toBe('OPEN');
    await page.locator(`#proposal-${next}`).focus();
    await page.keyboard.press('ArrowDown');
    await approve.waitFor();
  });

  it('when its author withdraws it while a reason is written', async () => {
    const app = await startConsole();
    const [first, next] = [await proposeByBruno(app), await proposeByBruno(app)];
    const at = await visit(app);
    await arrive(app, at, 'Grace Hall', '/inbox');
    const { page } = at;
    await page.getByLabel('Reason, needed to reject').fill('The harbour is open again');
    await app.context.sql.rows(
      `update proposals set state = 'WITHDRAWN', decided_by = proposed_by, decided_at = now() where proposal_guid = $1::uuid`,
      [first],
    );
    await comeBack(page);
    await page.locator(`#proposal-${first}`).waitFor({ state: 'detached' });
    expect(await page.locator(`#proposal-${next}`).getAttribute('aria-current')).toBe('false');
    await page.getByText(/^Withdrawn by Bruno Costa/).waitFor();
    expect(await page.getByRole('button', { name: 'Approve and apply' }).count()).toBe(0);
  });
});

it('the reason and the time that are typed for a proposal stay with it, at a look at another one and at a sign-in, until it is decided', async () => {
  const app = await startConsole();
  const [first, next] = [await proposeByBruno(app), await proposeByBruno(app)];
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', `/inbox?proposal=${first}`);
  const { page } = at;
  const reason = page.getByLabel('Reason, needed to reject');
  const time = page.getByLabel(/^Apply at/);
  const show = async (guid: string) => {
    await page.locator(`#proposal-${guid}`).click();
    await page.waitForURL(new RegExp(guid));
    await reason.waitFor();
  };
  await reason.fill('The harbour is open again');
  await time.fill('2031-12-01T12:00');
  await show(next);
  expect([await reason.inputValue(), await time.inputValue()]).toEqual(['', '']);
  await reason.fill('Not this one');
  await show(first);
  expect([await reason.inputValue(), await time.inputValue()]).toEqual([
    'The harbour is open again',
    '2031-12-01T12:00',
  ]);
  await app.context.sql.rows('delete from console_sessions');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('button', { name: 'Sign in' }).first().click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await reason.waitFor();
  expect(await reason.inputValue()).toBe('The harbour is open again');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected.', { exact: true }).waitFor();
  expect(await stateOf(app, first)).toBe('REJECTED');
  await show(next);
  expect(await reason.inputValue()).toBe('Not this one');
  const kept = await page.evaluate<string[]>('Object.keys(sessionStorage)');
  expect(kept.filter((name) => name.includes(first))).toEqual([]);
});

it('an approver whose numbers have moved sees which, and what others changed; keys decide', async () => {
  const app = await startConsole();
  const guid = await proposeByBruno(app);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', `/inbox?proposal=${guid}`);
  const { page } = at;
  const approve = page.getByRole('button', { name: 'Approve and apply' });
  await approve.waitFor();
  // one holder of what is taken is blocked after it was read
  await updateUser(app.context, diego, { isBlocked: true });
  await page.locator(`#proposal-${guid}`).focus();
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/lose access now; it was \d+ when you decided/).waitFor();
  await page.getByText(/1 person was blocked since. Diego Esteves \(diego@example.com\)/).waitFor();
  expect(await stateOf(app, guid)).toBe('OPEN');
  await page.locator(`#proposal-${guid}`).focus();
  await page.keyboard.press('x');
  await page.keyboard.type('Diego is away');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Rejected by').or(page.getByText('Nothing waits for you')).first().waitFor();
  expect(await stateOf(app, guid)).toBe('REJECTED');
});

it('a scheduled proposal that failed says why, and can be proposed again', async () => {
  const app = await startConsole();
  const guid = await proposeByBruno(app);
  await app.context.sql.rows(
    `update proposals set state = 'FAILED', decided_by = $2::uuid, decided_at = now(), apply_at = now(),
       failure = '{"$": ["The effect is no longer the one that was approved: propose it again."]}' where proposal_guid = $1::uuid`,
    [guid, diego],
  );
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/inbox?view=scheduled');
  const { page } = at;
  await page.getByText('propose it again').waitFor();
  await page.getByRole('button', { name: 'Propose again' }).click();
  await page.getByText('Proposed again: another person decides.').waitFor();
  const again = await app.context.sql.rows<{ state: string; same: boolean }>(
    `select p.state, p.changes = failed.changes as same from proposals p, proposals failed
     where failed.proposal_guid = $1::uuid and p.proposal_guid <> $1::uuid`,
    [guid],
  );
  expect(again).toEqual([{ state: 'OPEN', same: true }]);
});

it('a proposal says what its changes do in words, who gains by them, and how many do nothing for anybody', async () => {
  const { app, page, go } = await grace('/roles');
  const { rows } = app.context.sql;
  const made = await rows<{ guid: string }>(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, is_active, created_by)
     select 'Pump ' || n, 'a', 'b', 'web', 'tab', 'external', n > 2, $1::uuid from generate_series(1, 30) n
     returning application_guid::text as guid`,
    [bruno],
  );
  await proposeChanges(
    { ...app.context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
    made.map(({ guid }) => ({
      mapping: { applicationGuid: guid, accessScopeGuid: harbour, from: null, to: 'active' },
    })),
    { note: 'Pumps' },
  );
  await go('/inbox');
  const group = page.getByRole('region', { name: 'Harbour station opens 30 applications' });
  await group.getByText(/gain 28 applications/).waitFor();
  await page.getByText('2 changes do nothing for anybody: what they name is out of use.').waitFor();
});

it('with APPROVALS=all the review proposes, with a note, and the author cannot approve', async () => {
  const { page } = await grace('/matrix?type=site', { APPROVALS: 'all' });
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  expect(await sheet.getByRole('button', { name: /Apply/ }).count()).toBe(0);
  expect(await sheet.getByRole('button', { name: 'Propose' }).isDisabled()).toBe(true);
  await sheet.getByLabel('Note').fill('the harbour team needs it');
  await sheet.getByRole('button', { name: 'Propose' }).click();
  await page.getByText('Another person decides: nobody approves their own.').waitFor();
  expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText(/^Withdrawn by/).waitFor();
});

it('a request of a person is decided by its ways: the chosen one is what happens, and Decided says who approved it', async () => {
  const app = await startConsole();
  const { context } = app;
  await context.sql.rows('update applications set is_requestable = true where application_guid = $1::uuid', [
    assetRegister,
  ]);
  const caller = { kind: 'user', sub: bruno, profileId: 'field-north', permissions: new Set(), scopes: [] } as never;
  const until = `${new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const wish = { applicationGuid: assetRegister, reason: 'I look after the harbour', until };
  await requestAccess({ ...context, face: 'graphql', caller }, wish);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/inbox');
  const { page } = at;
  await page.getByRole('heading', { name: 'Bruno Costa requests Asset register', level: 2 }).waitFor();
  const ways = page.getByRole('group', {
    name: /^What would open it; requested until \d{1,2} \w{3} \d{4}, 00:00 UTC$/,
  });
  await ways.getByText('chosen').waitFor();
  expect(await ways.getByRole('radio').count()).toBeGreaterThan(1);
  const town = ways.getByRole('radio', { name: /^Meter of the town hall opens Asset register/ });
  const approve = page.getByRole('button', { name: 'Approve and apply' });
  const { waits, goOn } = await slowDown(page, (body) => body.includes('"ProposalDetail"'));
  await town.press('Space');
  await waits;
  // until it is read, the one before is shown
  expect(await approve.isDisabled()).toBe(true);
  goOn();
  await page.locator('.sentences').getByText('Meter of the town hall opens Asset register').waitFor();
  await approve.click();
  await page.getByText('Nothing waits for you').waitFor();
  await page.getByRole('button', { name: /^Decided/ }).click();
  await page.getByText(/^Approved and applied by Grace Hall/).waitFor();
  const [{ opens }] = (await context.sql.rows(
    `select exists (select from access_scope_applications_mappers m join access_scopes s using (access_scope_id)
       join applications a using (application_id)
     where s.name = 'Meter of the town hall' and a.application_guid = $1::uuid and m.state = 'active') as opens`,
    [assetRegister],
  )) as [{ opens: boolean }];
  expect(opens).toBe(true);
});

it('an undo is proposed and not made with APPROVALS=all', async () => {
  const app = await startConsole({ APPROVALS: 'all' });
  await updateRole(app.context, 'analyst', { description: 'Reads reports' });
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/history');
  const { page } = at;
  await page.getByRole('button', { name: /^Undo/ }).first().click();
  const sheet = page.getByRole('dialog');
  const propose = sheet.getByRole('button', { name: 'Propose' });
  await propose.waitFor();
  expect(await sheet.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  await sheet.getByLabel('Note').fill('the old text was right');
  await propose.click();
  await page.getByText('The undo is proposed: another person decides.').waitFor();
  await page.getByRole('heading', { name: /^Undo the change set of/ }).waitFor();
});

it('a time at which a proposal is applied is said with its zone, also where clocks are changed then', async () => {
  const app = await startConsole();
  const guid = await proposeByBruno(app);
  const at = await visit(app, { timeZone: 'Europe/Berlin' });
  await arrive(app, at, 'Grace Hall', `/inbox?proposal=${guid}`);
  const time = at.page.getByLabel(/^Apply at/);
  for (const [typed, said] of [
    ['2031-12-01T12:00', '1 Dec 2031, 12:00 CET'],
    // no clock shows this
    ['2031-03-30T02:30', '30 Mar 2031, 03:30 CEST'],
    // clocks show this twice
    ['2031-10-26T02:30', '26 Oct 2031, 02:30 CEST'],
  ] as const) {
    await time.fill(typed);
    await at.page.getByText(said).waitFor();
  }
});
