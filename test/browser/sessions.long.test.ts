/** Sessions that end in the middle of something: nothing typed is lost, and nobody else gets it. */

import { recordOperatorToken } from '../../src/services/tokens/operatorTokens.js';
import { arrive, grace, openBrowser, settled, visit } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';
import { timeOut } from './support/slow.js';

beforeAll(openBrowser);

const bruno = 'de300000-0000-4000-8000-000000000002';

it('a session that ends takes no draft with it: after signing in again the review is open, with its note', async () => {
  const { app, page } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  await sheet.getByLabel('Note').fill('the harbour team needs it');
  await app.context.sql.rows('delete from console_sessions');

  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await sheet.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  expect(await sheet.getByLabel('Note').inputValue()).toBe('the harbour team needs it');
  expect(page.url()).toContain('/console/matrix?type=site');
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: active' }).waitFor();
});

it('the fields of a new client stay after Esc, and after the sign-in that its creation requires', async () => {
  const { app, page } = await grace('/clients');
  const sheet = page.getByRole('dialog', { name: 'New client' });
  await page.getByRole('button', { name: 'New client' }).click();
  await sheet.getByLabel('Id').fill('portal');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New client' }).click();
  await sheet.getByLabel('Name').fill('Portal of the harbour');
  await app.context.sql.rows("update console_sessions set authenticated_at = now() - interval '11 minutes'");

  await sheet.getByRole('button', { name: 'Make it' }).click();
  await sheet.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await sheet.waitFor();
  expect(await sheet.getByLabel('Id').inputValue()).toBe('portal');
  expect(await sheet.getByLabel('Name').inputValue()).toBe('Portal of the harbour');
  await sheet.getByRole('button', { name: 'Make it' }).click();
  await sheet.getByText('This is the secret of portal').waitFor();
  await page.reload();
  await page.getByText('Portal of the harbour').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('a new secret is asked for again after the sign-in, to be kept beside the old one for as long as was chosen', async () => {
  const { app, page } = await grace('/clients/demo-client');
  const sheet = page.getByRole('dialog', { name: 'New secret' });
  await page.getByRole('button', { name: 'New secret…' }).click();
  await sheet.getByRole('button', { name: '7 days' }).click();
  await app.context.sql.rows("update console_sessions set authenticated_at = now() - interval '11 minutes'");
  await sheet.getByRole('button', { name: 'Make a new secret' }).click();
  await sheet.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();

  await sheet.getByRole('button', { name: '7 days', pressed: true }).waitFor();
  await sheet.getByRole('button', { name: 'Make a new secret' }).click();
  await sheet.getByRole('button', { name: 'I have it' }).click();
  await page.getByText('in 6 days').waitFor();
});

it('the review of one person is not shown to another who signs in in the same tab', async () => {
  const { app, page, takeRequests } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('dialog')
    .getByText(/(person gains|people gain) access/)
    .waitFor();
  await app.context.sql.rows(`update console_sessions set user_guid = $1, profile_id = 'administration'`, [bruno]);
  await app.context.sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'administration', 'administrator', user_guid from users where user_guid = $1`,
    [bruno],
  );
  takeRequests();
  await page.reload();
  await settled(page);

  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByText('pending change').count()).toBe(0);
  expect(takeRequests().join()).not.toContain('TryChanges');
});

it('a token of the command line is named as such among the sessions of its user', async () => {
  const { app, page, go } = await grace();
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + 3_600_000);
  await recordOperatorToken(app.context, { userGuid: bruno, profileId: '', scopes: [], createdAt, expiresAt });
  await go(`/users/${bruno}?tab=sessions`);
  const session = page.getByRole('region', { name: 'In applications' }).getByRole('listitem');
  await session.getByText('Administration, by a command').waitFor();
  expect(await session.innerText()).not.toContain('renewed');
});

const own = 'de300000-0000-4000-8000-000000000006';
const inConsole = 'In this console';
const inApplications = 'In applications';

/** Grace at her sessions, of which there is another one in another browser. */
async function graceTwice() {
  const at = await grace();
  await arrive(at.app, await visit(at.app), 'Grace Hall');
  await at.go(`/users/${own}?tab=sessions`);
  return at;
}

it('End all… belongs to no card, says how many sessions in this console end too, this one among them, and what ended', async () => {
  const { page } = await graceTwice();
  await page.getByRole('region', { name: inConsole }).getByText('2 sessions').waitFor();
  const all = page.getByRole('button', { name: 'End all…' });
  expect(await page.getByRole('region').filter({ has: all }).count()).toBe(0);
  await all.click();
  const question = page.getByRole('dialog');
  await question.getByText('and so do 2 sessions in this console, this one too').waitFor();
  await question.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByText('2 sessions ended, 2 of them in this console.').waitFor();
  await page.getByText('You are signed out.').waitFor();
});

it('End all… of somebody else ends that person’s sessions in this console, and not this one', async () => {
  const { app, page } = await grace();
  await app.context.sql.rows(
    `insert into console_sessions (session_hash, user_guid, profile_id, issuer, ends_at)
     select decode(md5('bruno'), 'hex'), $1::uuid, profile_id, issuer, ends_at from console_sessions`,
    [bruno],
  );
  await page.goto(`${app.url}/console/users/${bruno}?tab=sessions`);
  await settled(page);
  await page.getByRole('button', { name: 'End all…' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('and so does 1 session in this console. Access tokens').waitFor();
  await question.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByText('1 session ended, 1 of them in this console.').waitFor();
  await page.getByRole('region', { name: inConsole }).getByText('0 sessions').waitFor();
});

it.each([
  ['consoleSessions', inConsole],
  ['tokens', inApplications],
])('sessions that could not be read (%s) have no number, and can be read again', async (field, name) => {
  const { page, go } = await grace();
  const goOn = await timeOut(page, field);
  await go(`/users/${own}?tab=sessions`);
  const card = page.getByRole('region', { name });
  const again = card.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  expect(await card.innerText()).not.toMatch(/\d sessions?/);
  await card.getByRole('heading', { name: 'This takes too long' }).waitFor();
  // what is open is ended, whether it can be counted or not
  await page.getByRole('button', { name: 'End all…' }).waitFor();
  await goOn();
  await again.click();
  await card.getByText(/^\d sessions?$/).waitFor();
});

it('sessions with the same profile have different names, and the question says which one ends', async () => {
  const { app, page } = await graceTwice();
  await arrive(app, await visit(app), 'Grace Hall');
  await app.context.sql.rows(
    `update console_sessions session set created_at = created_at - n * interval '1 hour'
     from (select session_hash, row_number() over (order by created_at desc) as n from console_sessions) its
     where session.session_hash = its.session_hash`,
  );
  await page.reload();
  await settled(page);
  const buttons = page.getByRole('region', { name: inConsole }).getByRole('button', { name: /^End…/ });
  const names = await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
  expect(names).toHaveLength(2);
  expect(new Set(names).size).toBe(2);
  const [, start] = /begun (.*)$/.exec(names[0]!)!;
  await buttons.first().click();
  await page.getByRole('dialog').getByText(`begun ${start}`).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
  await page.getByText('1 session ended.').waitFor();
  expect(await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([names[1]]);
});

it('the start of a review stays as it was typed, after Esc, a reload and a sign-in, until the review is started', async () => {
  const { app, page } = await grace('/reviews');
  const sheet = page.getByRole('dialog', { name: 'Start an access review' });
  const begin = page.getByRole('button', { name: 'Start a review…' });
  await begin.click();
  await sheet.getByLabel('Name').fill('Spring');
  await sheet.getByRole('combobox', { name: 'Only profiles', exact: true }).fill('report');
  await sheet.getByRole('option', { name: /Reporting/ }).click();
  await sheet.getByLabel('Grants that nobody decided about').selectOption('end');
  const read = async () => [
    await sheet.getByLabel('Name').inputValue(),
    await sheet.getByRole('list', { name: 'Only profiles' }).innerText(),
    await sheet.getByLabel('Grants that nobody decided about').inputValue(),
  ];
  const typed = await read();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await begin.click();
  expect(await read()).toEqual(typed);
  await page.reload();
  await sheet.waitFor();
  expect(await read()).toEqual(typed);
  await app.context.sql.rows('delete from console_sessions');
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await sheet.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await sheet.waitFor();
  expect(await read()).toEqual(typed);
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('grid', { name: 'Spring' }).waitFor();
  await page.getByRole('link', { name: 'Access reviews' }).first().click();
  await begin.click();
  expect(await sheet.getByLabel('Name').inputValue()).toBe('');
});
