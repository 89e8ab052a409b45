/**
 * Pictures of the console's pages for docs/console, on the demonstration's data: `npm run pictures`.
 * Starts a service of its own in a folder that it removes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
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
const pending = async (page: Page) => {
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  await page.getByRole('gridcell', { name: /Grid monitor, Northern station/ }).click();
  await page.getByRole('gridcell', { name: /Asset register, All of site/ }).click();
};

type Picture = [name: string, path: string, act?: (page: Page) => Promise<unknown>];

const pictures: Picture[] = [
  ['overview', '/overview'],
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
  ['matrix', '/matrix?type=site', pending],
  [
    'review',
    '/matrix?type=site',
    async (page) => {
      await press(page, 'Control+Enter');
      await page.getByText('people gain access').waitFor();
      await page.getByLabel('Note').fill('the harbour team needs it');
    },
  ],
  [
    'applied',
    '/matrix?type=site',
    async (page) => {
      await press(page, 'Control+Enter');
      await page.getByRole('button', { name: 'Apply 3 changes' }).click();
      await page.getByText('3 changes applied').waitFor();
    },
  ],
  [
    'history',
    '/history',
    async (page) => {
      await page.getByRole('button', { expanded: false }).filter({ hasText: 'Mapping' }).first().click();
      await page.getByText('no group').or(page.locator('.diff')).first().waitFor();
    },
  ],
  [
    'undo',
    '/history',
    async (page) => {
      await page.getByRole('button', { name: /^Undo/ }).first().click();
      await page.getByText('people lose access').waitFor();
    },
  ],
  ['users', '/users'],
  ['user', `/users/${bruno}`],
  [
    'block',
    `/users/${bruno}`,
    async (page) => {
      await page.getByRole('button', { name: 'Block…' }).click();
      await page.getByText('loses access').waitFor();
    },
  ],
  ['profile', '/profiles/grid-operator'],
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
    '/translations',
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
const goingOn = new Set(['review', 'applied']);

async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'));
  chmodSync(dataDir, 0o711); // root's PostgreSQL is run by another user, who has to pass
  const port = await freePort();
  const service = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of service.stdout) if (String(text).includes('listens on')) break;
  const stop = async () => {
    const exit = once(service, 'exit');
    service.kill('SIGTERM');
    await exit;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, stop };
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

const { url, stop } = await startService();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await askForTokens(url);
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/console/`);
  await page.getByText('Grace Hall').first().click();
  await page.waitForSelector('#main h1');
  for (const [name, path, act] of pictures) {
    await page.setViewportSize(size);
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
  await phone.screenshot({ path: join(folder, 'small.png') });
} finally {
  await browser.close();
  await stop();
}
