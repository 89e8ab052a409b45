/** People in the console: made, corrected, blocked, and given a profile with what it opens for them before it is chosen. */
import { newProfile } from '../support/records.js';
import { grace, openBrowser, settled } from './support/browser.js';

beforeAll(openBrowser);

const clara = 'de300000-0000-4000-8000-000000000003';

it('a new person is made with what an ID token needs said beside, and finds the own page', async () => {
  const { app, page } = await grace('/users');
  await page.getByRole('link', { name: 'New person' }).click();
  await page.getByRole('heading', { name: 'New person', level: 1 }).waitFor();
  const needs = page.getByRole('region', { name: 'Sign-in' });
  await needs.getByText('/development/identity-provider').first().waitFor();
  await page.getByRole('textbox', { name: /^First name/ }).fill('Edda');
  await page.getByRole('textbox', { name: /^Last name/ }).fill('Falk');
  expect(await page.getByRole('button', { name: 'Review (e-mail is missing)', exact: true }).isEnabled()).toBe(false);
  await page.getByRole('textbox', { name: /^E-mail/ }).fill('edda@example.com');
  await page.getByRole('combobox', { name: /^Identity provider/ }).selectOption('development');
  const sub = await needs.locator('b').innerText();
  expect(sub).toMatch(/^[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Edda Falk').first().waitFor();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('heading', { name: 'Edda Falk', level: 1 }).waitFor();
  expect(page.url()).toContain(`/users/${sub}`);
  expect(
    await app.context.sql.rows('select first_name, email, idpname, idpid from users where user_guid = $1', [sub]),
  ).toEqual([{ first_name: 'Edda', email: 'edda@example.com', idpname: 'development', idpid: null }]);
});

it('whoever has the e-mail already, or nearly, is offered in the place of a second record', async () => {
  const { page } = await grace('/users/new');
  await page.getByRole('textbox', { name: /^E-mail/ }).fill('CLARA@example.com');
  const same = page.getByRole('status').filter({ hasText: 'Somebody has this e-mail already' });
  await same.getByText('Clara Dietrich').first().waitFor();
  await page.getByRole('textbox', { name: /^E-mail/ }).fill('claar@example.com');
  await page.getByText('Is it one of these?').waitFor();
  await page.getByRole('textbox', { name: /^E-mail/ }).fill('nobody.like.that@elsewhere.example');
  await page.getByText('Is it one of these?').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: /^E-mail/ }).fill('clara@example.com');
  await same.getByRole('link', { name: 'Open Clara Dietrich' }).click();
  await page.getByRole('heading', { name: 'Clara Dietrich', level: 1 }).waitFor();
});

it('a person is corrected and blocked by one review, and neither takes the other’s place', async () => {
  const { app, page } = await grace(`/users/${clara}?tab=facts`);
  await page.getByRole('textbox', { name: /^Job/ }).fill('Head of finance');
  await page.getByText('1 pending change').waitFor();
  await page.getByRole('button', { name: 'Block…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('All sessions end at once.').waitFor();
  await sheet.getByText('Head of finance').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: /^Telephone/ }).fill('+49 30 1234');
  await page.keyboard.press('Control+Enter');
  await sheet.getByText('+49 30 1234').waitFor();
  await sheet.getByText('All sessions end at once.').waitFor();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied').waitFor();
  expect(
    await app.context.sql.rows('select job_title, telephone, is_blocked from users where user_guid = $1', [clara]),
  ).toEqual([{ job_title: 'Head of finance', telephone: '+49 30 1234', is_blocked: true }]);
});

it('the sign-in of a person is judged as it is typed', async () => {
  const { page } = await grace(`/users/${clara}?tab=facts`);
  const needs = page.getByRole('region', { name: 'Sign-in' });
  await needs.getByText(clara).waitFor();
  await page.getByRole('combobox', { name: /^Identity provider/ }).selectOption('');
  // the only provider names people by their guid: without its name it signs them in too
  await needs.getByText(clara).waitFor();
});

it('each profile says what it opens for the person before it is chosen, and one that opens nothing says so', async () => {
  const { app, page } = await grace('/users');
  await newProfile(app.context, 'empty');
  await page.goto(`${app.url}/console/users/${clara}`);
  await settled(page);
  await page.getByRole('button', { name: 'Give a profile' }).click();
  const sheet = page.getByRole('dialog', { name: 'Give a profile' });
  await sheet.getByRole('combobox', { name: 'Profile' }).press('ArrowDown');
  await sheet.getByRole('option', { name: /Grid operator.*opens 3 applications, gives 1 entry/ }).waitFor();
  await sheet.getByRole('option', { name: /empty.*opens nothing today/ }).waitFor();
  await sheet
    .getByRole('option', { name: /Finance.*held already|held already/ })
    .first()
    .waitFor();
  await sheet.getByRole('option', { name: /Grid operator/ }).click();
  const gives = sheet.locator('.would-give');
  await gives.getByText('Opens 3 applications').waitFor();
  await gives.getByText('Grid monitor, Outage map and Work orders').waitFor();
  await gives.getByText('site:*').waitFor();
  await sheet.getByRole('combobox', { name: 'Profile' }).fill('empty');
  await sheet.getByRole('option', { name: /^empty opens nothing today/ }).click();
  await gives.getByText('It opens nothing today.').waitFor();
});
