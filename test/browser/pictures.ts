/**
 * Pictures of the console's pages for docs/console, on the demonstration of real size: `npm run pictures`, or some of them:
 * `npm run pictures -- compare keys`.
 * Starts a service of its own in a folder that it removes.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { largeRecords } from '../../dev/largeData.js';
import { freePort } from '../support/freePort.js';
import { renewalBody } from '../support/tokens.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'docs/console');

const bruno = 'de300000-0000-4000-8000-000000000002';
const ada = 'de300000-0000-4000-8000-000000000001';
const gridMonitor = 'de330000-0000-4000-8000-000000000001';
const assetRegister = 'de330000-0000-4000-8000-000000000005';

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const planners = '/matrix?type=project&q=planner';
const pending = async (page: Page) => {
  await page.getByPlaceholder(/^Find a project/).fill('020');
  await page.getByRole('columnheader', { name: /020/ }).getByRole('button').click();
  await page.getByText('992 pending changes').waitFor();
};
const isReviewed = (page: Page) => page.getByRole('dialog').getByText('2,241').first().waitFor();
const review = async (page: Page) => {
  await press(page, 'Control+Enter');
  await isReviewed(page);
  await page.getByLabel('Note').fill('the planners move to project 020');
};
const openInbox = (page: Page) => page.getByRole('button', { name: 'Approve and apply' }).waitFor();
const selectPeople = async (page: Page) => {
  await page.getByRole('grid').focus();
  await press(page, 'x', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
};

type Picture = [name: string, path: string, act?: (page: Page) => Promise<unknown>];

const pictures: Picture[] = [
  ['overview', '/overview'],
  ['inbox', '/inbox', openInbox],
  ['inbox-dark', '/inbox', openInbox],
  ['applications', '/applications'],
  [
    'selection',
    '/applications',
    async (page) => {
      await page.getByRole('grid').focus();
      await press(page, 'x', 'j', 'j', 'x');
    },
  ],
  ['application', `/applications/${gridMonitor}`],
  ['why', `/why?user=${bruno}&application=${assetRegister}`],
  ['why-open', `/why?user=${ada}&application=${gridMonitor}`],
  ['matrix', planners, pending],
  ['review', planners, review],
  // a review that was open is open again
  ['review-dark', planners, isReviewed],
  [
    'applied',
    planners,
    async (page) => {
      await isReviewed(page);
      await page.getByRole('button', { name: 'Apply 992 changes' }).click();
      await page.getByText('992 changes applied').waitFor();
    },
  ],
  [
    'history',
    '/history',
    async (page) => {
      await page
        .getByRole('button', { expanded: false })
        .filter({ hasText: /given to 2 people/ })
        .first()
        .click();
      await page.locator('.change-lines').waitFor();
    },
  ],
  [
    'undo',
    '/history',
    async (page) => {
      await page.getByRole('button', { name: /^Undo/ }).first().click();
      await page.getByText(/(person loses|people lose) access/).waitFor();
    },
  ],
  ['users', '/users'],
  [
    'users-give',
    '/users?profile=legal-trainee-15&department=Legal',
    async (page) => {
      await page.getByRole('checkbox', { name: /^Select all / }).click();
      await page.getByText(/^All [\d,]+ are selected/).waitFor();
      await page.getByRole('button', { name: /^Give a profile/ }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Profile' }).fill('auditor 26');
      await page
        .getByRole('option', { name: /auditor 26/ })
        .first()
        .click();
      await page.getByRole('button', { name: '90 days' }).click();
      await page
        .getByRole('dialog')
        .getByText(/^\+ [\d,]+ /)
        .waitFor();
    },
  ],
  ['user', `/users/${bruno}`],
  [
    'give-profile',
    `/users/${bruno}`,
    async (page) => {
      await page.getByRole('button', { name: 'Give a profile' }).click();
      await page.getByRole('combobox', { name: 'Profile' }).fill('grid operator');
      await page
        .getByRole('option', { name: /^Grid operator/ })
        .first()
        .click();
      await page.getByText('New entries of tokens').waitFor();
    },
  ],
  [
    'new-person',
    '/users/new',
    async (page) => {
      await page.getByLabel('First name').fill('Klara');
      await page.getByLabel('E-mail').fill('clara@example.com');
      await page.getByLabel('Identity provider').selectOption('development');
      await page.getByText('Somebody has this e-mail already').waitFor();
    },
  ],
  [
    'block',
    `/users/${bruno}`,
    async (page) => {
      await page.getByRole('button', { name: 'Block…' }).click();
      await page.getByText('loses access').waitFor();
    },
  ],
  ['profile', `/profiles/${largeRecords.lead}`],
  ['profile-people', `/profiles/${largeRecords.lead}?tab=holders`, selectPeople],
  ['profile-people-dark', `/profiles/${largeRecords.lead}?tab=holders`, selectPeople],
  ['compare', `/compare/profiles?left=${largeRecords.lead}&right=${largeRecords.clerk}`],
  [
    'new-application',
    '/applications/new',
    async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Crew planner');
      await page.getByRole('button', { name: 'Same as another application…' }).click();
      await page.getByRole('combobox', { name: 'Same as' }).fill('crew scheduler');
      await page
        .getByRole('option', { name: /Crew Scheduler/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Who gets it' }).getByRole('listitem').first().waitFor();
    },
  ],
  [
    'access-review',
    '/reviews',
    async (page) => {
      await page.getByRole('link', { name: /Field service/ }).click();
      await page.getByRole('grid').focus();
      await settled(page);
      await press(page, 'k', 'k', 'e');
      await page
        .getByText(/^3 of /)
        .first()
        .waitFor();
    },
  ],
  ['scope', '/scopes/de320000-0000-4000-8000-000000000003'],
  [
    'client',
    '/clients/demo-client',
    async (page) => {
      await page.getByRole('button', { name: 'New secret…' }).click();
    },
  ],
  [
    'usage',
    '/usage?q=/token',
    async (page) => {
      // requests are counted some seconds after their answer
      while ((await page.getByText('Portal/4.2').count()) === 0) await page.reload().then(() => settled(page));
    },
  ],
  ['keys', '/keys'],
  [
    'translations',
    '/translations?q=grid+monitor',
    async (page) => {
      await page.getByLabel('Grid monitor, name in de').fill('Netzwächter');
    },
  ],
  [
    'find',
    '/applications',
    async (page) => {
      await press(page, 'Control+k');
      await page.keyboard.type('har');
      await page
        .getByRole('option', { name: /Harbour/ })
        .first()
        .waitFor();
    },
  ],
];

/** Those that have the pending changes of the one before. */
const goingOn = new Set(['review', 'review-dark', 'applied']);

async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'));
  chmodSync(dataDir, 0o711); // root's PostgreSQL is run by another user, who has to pass
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const service = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    env: { ...env, DEMONSTRATION: 'large' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of service.stdout) if (String(text).includes('listens on')) break;
  const stop = async () => {
    const exit = once(service, 'exit');
    service.kill('SIGTERM');
    await exit;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, env, stop };
}

/** What an old program and a newer one ask: by JSON, and by a form. */
async function askForTokens(url: string): Promise<void> {
  const client = { client_id: 'demo-client', client_secret: 'demo-secret-for-development-only' };
  const idToken = async () => (await fetch(`${url}/development/identity-provider/id-token?user=ada`)).text();
  const send = (product: string, body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    fetch(`${url}/token`, { method: 'POST', body, headers: { 'user-agent': product, ...headers } });
  const exchange = { ...client, grant_type: 'urn:service:authz:exchange', profileId: 'grid-operator' };
  const json = { 'content-type': 'application/json' };
  for (let times = 0; times < 3; times++)
    await send('Portal/4.2', JSON.stringify({ ...exchange, id_token: await idToken() }), json);
  const renewal = { ...client, ...renewalBody('none') };
  await send('okhttp/4.12.0', new URLSearchParams(renewal));
}

/** What waits for Grace: a proposal of Ada's, a review, and grants that end. */
async function prepare(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const command = [join(root, 'dist/src/cli.js'), 'admin-token', '--user', ada];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const send = async (query: string, variables: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${stdout.trim()}` };
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { errors } = (await answer.json()) as { errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const profile = { profileId: largeRecords.clerk, roleId: 'member', userGuids: [ada, bruno], validUntil: inDays(5) };
  await send('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', {
    changes: [{ assignProfiles: profile }],
  });
  const planned = largeRecords.planners.slice(100, 140).map((applicationGuid) => ({
    mapping: { applicationGuid, accessScopeGuid: largeRecords.project020, to: 'active' },
  }));
  const note = 'Forty planners for project 020, as agreed with the planning department';
  await send(
    'mutation ($changes: [ChangeInput!]!, $note: String!) { proposeChanges(changes: $changes, note: $note) { proposalGuid } }',
    {
      changes: planned,
      note,
    },
  );
  await send(
    'mutation ($name: String!, $dueAt: DateTime!, $filter: ReviewFilter!) { startReview(name: $name, dueAt: $dueAt, filter: $filter, undecided: KEEP) { reviewGuid } }',
    { name: 'Field service leads, winter', dueAt: inDays(21), filter: { profileIds: [largeRecords.lead] } },
  );
}

async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#main h1');
  await page.waitForLoadState('networkidle');
  await page.waitForSelector('.skeleton, .ghost-line, [aria-busy=true]', { state: 'detached' });
}

const size = { width: 1200, height: 750 };

/** A page that is longer than the window is shown whole. */
async function lengthenWindow(page: Page): Promise<void> {
  const beyond = await page.evaluate<number>('main.scrollHeight - main.clientHeight');
  if (beyond > 0) await page.setViewportSize({ ...size, height: size.height + beyond });
}

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const { url, env, stop } = await startService();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await prepare(url, env);
  await askForTokens(url);
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${url}/console/`);
  await page.getByText('Grace Hall').first().click();
  await page.waitForSelector('#main h1');
  for (const [name, path, act] of pictures.filter(([name]) => isWanted(name))) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: name.endsWith('-dark') ? 'dark' : 'light', reducedMotion: 'reduce' });
    if (!goingOn.has(name)) await page.evaluate('sessionStorage.clear()');
    await page.goto(`${url}/console${path}`);
    await settled(page);
    await act?.(page);
    await page.waitForLoadState('networkidle');
    await lengthenWindow(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  const small = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    storageState: await context.storageState(),
  });
  const phone = await small.newPage();
  await phone.goto(`${url}/console/applications`);
  await settled(phone);
  if (isWanted('small')) await phone.screenshot({ path: join(folder, 'small.png') });
} finally {
  await browser.close();
  await stop();
}
