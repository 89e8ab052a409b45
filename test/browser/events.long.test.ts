/** Events under Programs: each stream with its state, its last failure and how to mend it; tests, pauses, secrets and repetitions. */
import { createEventStream } from '../../src/modules/events/streams.js';
import { startReceiver } from '../modules/events/receiver.js';
import { grace, openBrowser, settled } from './support/browser.js';

beforeAll(openBrowser);

it('a stream shows what its receiver answered, is tested, paused, repeated, and gets a new secret', async () => {
  const { app, page } = await grace('/overview', { PRIVATE_PROVIDER_HOSTS: '127.0.0.1' });
  const receiver = await startReceiver();
  receiver.answer = (_request, response) => response.writeHead(401).end();
  await createEventStream(app.context, { name: 'Tickets', kind: 'webhook', address: receiver.url });
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  const card = page.getByRole('region', { name: 'Tickets' });
  await card.getByText('enabled').waitFor();
  await card.getByRole('button', { name: 'Send a test…' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await card.getByText('answers 401').waitFor();
  await card.getByText('The receiver refuses the credentials').waitFor();
  await card.getByText('Last deliveries').click();
  await card.getByText('stream.test').first().waitFor();
  receiver.answer = (_request, response) => response.writeHead(204).end();
  await card.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await card.getByText('paused').waitFor();
  await card.getByRole('button', { name: 'Go on…' }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await card.getByText('enabled').waitFor();
  await card.getByRole('button', { name: 'Replay since…' }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('Events for Tickets are being repeated.').waitFor();
  await card.getByRole('button', { name: 'Rotate secret…' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByText('whsec_').waitFor();
  await settled(page);
});

it('the review of a loss names the streams that hear of it, and not those that do not', async () => {
  const { app, page, go } = await grace('/overview', { PRIVATE_PROVIDER_HOSTS: '127.0.0.1' });
  const { url: address } = await startReceiver();
  const stream = { kind: 'webhook', address } as const;
  await createEventStream(app.context, { ...stream, name: 'Everything' });
  await createEventStream(app.context, { ...stream, name: 'The north', profileIds: ['field-north'] });
  await createEventStream(app.context, { ...stream, name: 'Reporting only', profileIds: ['reporting'] });
  await go('/users/de300000-0000-4000-8000-000000000002');
  await page
    .getByRole('region', { name: 'Field work, north' })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Event streams that hear of it: Everything, The north.').waitFor();
  expect(await sheet.innerText()).not.toContain('Reporting only');
});

it('without streams the page says how one is made, and the review names none', async () => {
  const { page, go } = await grace('/events');
  await page.getByText('The command gatehouse stream create makes one.').waitFor();
  await go('/users/de300000-0000-4000-8000-000000000002');
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person loses|people lose) access/).waitFor();
  expect(await sheet.innerText()).not.toContain('Event streams');
});

const webhook = async ({ app }: Awaited<ReturnType<typeof grace>>, name: string) => {
  const receiver = await startReceiver();
  receiver.answer = (_request, response) => response.writeHead(204).end();
  await createEventStream(app.context, { name, kind: 'webhook', address: receiver.url });
};
const startWithStreams = async (...names: string[]) => {
  const at = await grace('/overview', { PRIVATE_PROVIDER_HOSTS: '127.0.0.1' });
  for (const name of names) await webhook(at, name);
  return at;
};

it('while the service is away the deliveries stay, with the time of which they are, and nobody is told of an act', async () => {
  const { page, go } = await startWithStreams('Tickets');
  await go('/events');
  const card = page.getByRole('region', { name: 'Tickets' });
  await card.getByRole('button', { name: /^Send a test…/ }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await card.locator('summary').click();
  await card.getByText('stream.test').first().waitFor();
  const asOf = page.getByText(/^As of \d\d:\d\d/).first();
  await page.clock.install();
  await page.route('**/console/graphql', (route) => route.abort());
  const fail = async () => {
    const failed = page.waitForEvent('requestfailed');
    await page.clock.runFor(6_000);
    await failed;
  };
  for (let index = 0; index < 4; index++) await fail();
  await asOf.waitFor();
  await card.getByText('stream.test').first().waitFor();
  await page.unroute('**/console/graphql');
  await page.clock.resume();
  await asOf.waitFor({ state: 'detached' });
  await card.getByText('stream.test').first().waitFor();
  expect(await page.getByText('What you did was not answered').count()).toBe(0);
});

it('a stream that is paused is told to repeat when it goes on, and its name is in every button and question', async () => {
  const { page, go } = await startWithStreams('Tickets', 'Billing');
  await go('/events');
  const card = page.getByRole('region', { name: 'Tickets' });
  await card.getByRole('button', { name: 'Pause… Tickets' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await card.getByText('paused').first().waitFor();
  await card.getByRole('button', { name: 'Replay since… Tickets' }).click();
  const sheet = page.getByRole('dialog', { name: 'Replay events' });
  await sheet.getByText('Tickets').first().waitFor();
  await sheet.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('Events for Tickets are repeated when it goes on.').waitFor();
  const names = await page
    .locator('section.card > header')
    .getByRole('button')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent));
  expect(names.length).toBeGreaterThan(5);
  expect(new Set(names).size).toBe(names.length);
});

it('a secret that is shown once is closed by a button, and not by Esc, a click beside it, Back or a reload', async () => {
  const { page, go } = await startWithStreams('Tickets');
  await go('/events');
  await page.getByRole('navigation').getByRole('link', { name: 'Clients' }).click();
  await settled(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click();
  await page.getByRole('button', { name: /^Rotate secret…/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Make a new secret' }).click();
  const secret = sheet.getByText(/whsec_/);
  await secret.waitFor();
  await settled(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await page.evaluate(
    'new Promise((resolve) => { addEventListener("popstate", resolve, { once: true }); history.back(); }).then(() => undefined)',
  );
  await settled(page);
  await secret.waitFor();
  const asked = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  await (await asked).dismiss();
  await secret.waitFor();
  await sheet.getByRole('button', { name: 'I have it' }).click();
  await sheet.waitFor({ state: 'detached' });
  await go('/clients');
  await page.getByRole('button', { name: 'New client' }).click();
  await sheet.getByLabel('Id').fill('portal');
  await sheet.getByLabel('Name').fill('Portal');
  await sheet.getByRole('button', { name: 'Make it' }).click();
  await sheet.getByText('This is the secret of portal').waitFor();
  await settled(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await sheet.getByText('This is the secret of portal').waitFor();
  await sheet.getByRole('button', { name: 'I have it' }).click();
  await sheet.waitFor({ state: 'detached' });
});
