/** Acts that ask who is there again: after the sign-in each is where it was, and done by one press, not before it. */
import { exchangeBody } from '../support/tokens.js';
import { grace, openBrowser, settled } from './support/browser.js';

beforeAll(openBrowser);

const ada = 'de300000-0000-4000-8000-000000000001';

/** Gives ada a session by the demonstration's client. */
async function openSession({ app, page }: Awaited<ReturnType<typeof grace>>): Promise<void> {
  const idToken = await (await fetch(`${app.url}/development/identity-provider/id-token?user=ada`)).text();
  const client = { client_id: 'demo-client', client_secret: 'demo-secret-for-development-only' };
  const { status } = await app.post('/token', { ...client, ...exchangeBody(idToken), profileId: 'grid-operator' });
  expect(status).toBe(200);
  await app.context.sql.rows("update tokens set client_id = 'demo-client'");
  await page.reload();
  await settled(page);
}

const keys = 'select kid, state from signing_keys order by kid';
const sessions = 'select is_revoked from tokens order by 1';

it.each([
  ['/keys', 'Rotate…', 'Rotate', 'signs now', keys],
  ['/clients/demo-client', 'End all…', 'End all', '1 session ended', sessions],
  [`/users/${ada}?tab=sessions`, 'End all…', 'End', '1 session ended', sessions],
] as const)('%s: %s asks the same after the sign-in, and nothing is done before it is pressed', async (...row) => {
  const [path, button, label, done, state] = row;
  const at = await grace(path);
  await openSession(at);
  const { app, page } = at;
  const stored = () => app.context.sql.rows(state);
  const before = await stored();
  await page.getByRole('button', { name: button, exact: true }).click();
  const question = page.getByRole('dialog');
  const asked = await question.getByRole('heading').innerText();
  await app.context.sql.rows("update console_sessions set authenticated_at = now() - interval '11 minutes'");
  await question.getByRole('button', { name: label, exact: true }).click();
  await question.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();

  await question.waitFor();
  await settled(page);
  expect(page.url()).toContain(path);
  expect(await question.getByRole('heading').innerText()).toBe(asked);
  expect(await stored()).toEqual(before);
  await question.getByRole('button', { name: label, exact: true }).click();
  await page.getByText(done).waitFor();
  await question.waitFor({ state: 'detached' });
  expect(await stored()).not.toEqual(before);
  await page.reload();
  await settled(page);
  expect(await question.count()).toBe(0);
});

it('a question that was left for another page is not asked when somebody comes back to its page', async () => {
  const { page } = await grace('/users');
  await page.getByRole('link', { name: 'Signing keys' }).click();
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goForward();
  await page.getByRole('button', { name: 'Rotate…' }).waitFor();
  await settled(page);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('a dialog does not ask for the opposite of a change that somebody else made meanwhile', async () => {
  const { app, page } = await grace('/clients/demo-client');
  await page.getByRole('button', { name: 'More about this client' }).click();
  await page.getByRole('button', { name: 'Take out of use…' }).click();
  const question = page.getByRole('dialog', { name: /out of use/ });
  await app.context.sql.rows('delete from console_sessions');
  await question.getByRole('button', { name: 'Take out of use' }).click();
  await question.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await app.context.sql.rows("update clients set is_active = false where client_id = 'demo-client'");
  await page.getByText('Grace Hall').first().click();

  await page.getByRole('heading', { level: 1 }).getByText('out of use').waitFor();
  await settled(page);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'More about this client' }).click();
  await page.getByRole('button', { name: 'Take into use…' }).waitFor();
});
