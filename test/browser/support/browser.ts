/** A browser at the console: the Chromium that test/sets.js found, driven by playwright-core. One browser serves a test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { demonstrationUsers } from '../../../dev/demoData.js';
import { builtFolder } from '../../../src/modules/console/routes/builtFiles.js';
import { openBrowser as openRequests } from '../../modules/console/browser.js';
import { finishSignIn } from '../../modules/console/consoleApp.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { hangMs } from '../../support/until.js';

/**
 * Switched off: the pages of the address bar, which Chromium loads for each window, for half a second of the processor. The others
 * are Playwright's, whose list this one takes the place of.
 */
const features = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
/** Without a process that stands in for a graphics card. */
const drawing = ['--disable-gpu', '--in-process-gpu'];
const switches = ['--no-sandbox', '--disable-dev-shm-usage', ...drawing, `--disable-features=${features}`];

let browser: Promise<Browser> | undefined;
/** One for all services of a file, which share the key of their identity providers: to make it takes as long as their start. */
let dataDir: string;

/** To be called in beforeAll: it lives as long as the file. */
export async function openBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-browser-'));
  dataDir = folder;
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  browser = chromium.launch({ executablePath: process.env.CHROMIUM!, args: switches });
  const opened = await browser;
  closeAtEnd(() => opened.close());
  return opened;
}

/** Where the file's services keep the key of their identity providers. */
export const dataFolder = (): string => dataDir;

/** A service with the demonstration's data and its identity provider, and the console as it is built. */
export function startConsole(settings: Record<string, string> = {}): Promise<TestApp> {
  return startTestApp({ ID_TOKEN_ISSUERS: '', DATA_DIR: dataDir, ...settings }, { consoleFolder: builtFolder });
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Graph requests since the last call. */
  takeRequests(): string[];
  /** What the browser's console said as an error, and violations of the page's policy. */
  faults: string[];
  /** To a path below /console, until nothing is loading. */
  go(path: string): Promise<void>;
}

interface VisitOptions {
  width?: number;
  theme?: 'light' | 'dark';
  /** A phone's or a tablet's: touched, and no pointer hovers. */
  isTouched?: boolean;
  /** IANA name of the reader's time zone; absent: that of the machine. */
  timeZone?: string;
}

const heights: Record<number, number> = { 360: 800, 390: 844 };

/** A person's own browser, signed in to nothing yet. */
export async function visit(
  app: TestApp,
  { width = 1440, theme = 'light', isTouched = false, timeZone }: VisitOptions = {},
): Promise<Visit> {
  const opened = await browser!;
  const context = await opened.newContext({
    viewport: { width, height: heights[width] ?? 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: isTouched,
    isMobile: isTouched,
    ...(timeZone && { timezoneId: timeZone }),
  });
  closeAtEnd(() => closeContext(context));
  const page = await context.newPage();
  page.setDefaultTimeout(hangMs);
  watchGraphRequests(page);
  const faults: string[] = [];
  let requests: string[] = [];
  page.on('console', (message) => {
    // the browser reports an answer 401, and the page leads to the sign-in
    if (message.type() === 'error' && !/\b401\b/.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('request', (request) => {
    if (isOfGraph(request)) requests.push(request.postData() ?? '');
  });
  return {
    page,
    context,
    takeRequests: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    faults,
    go: async (path) => {
      await page.goto(`${app.url}/console${path}`);
      await settled(page);
    },
  };
}

const contextClosingMs = 10_000;

/**
 * Chromium may leave the request that ends a context unanswered (Target.disposeBrowserContext,
 * https://github.com/duckduckgo/tracker-radar-collector/pull/88): then the end of the browser is that of the context.
 */
async function closeContext(context: BrowserContext): Promise<void> {
  const given = Promise.withResolvers<void>();
  const timer = setTimeout(given.resolve, contextClosingMs);
  await Promise.race([context.close(), given.promise]).finally(() => clearTimeout(timer));
}

/** Signs in at the development identity provider as one of its people. */
export async function signIn(app: TestApp, { page }: Visit, name: string, path = '/applications'): Promise<void> {
  await page.goto(`${app.url}/console${path}`);
  await page.waitForURL(/\/authorize/);
  await page.getByText(name).first().click();
  await page.waitForURL((url) => url.pathname.startsWith('/console/') && !url.pathname.endsWith('/callback'));
}

/** Somebody who signed in before comes to a path below /console: by the requests of a sign-in alone, whose pages take seconds. */
export async function arrive(
  app: TestApp,
  { context, go }: Visit,
  name: string,
  path = '/applications',
): Promise<void> {
  const person = demonstrationUsers.find((user) => user.name === name)!;
  const requests = openRequests(app.url);
  await finishSignIn(requests, `${app.url}/console/sign-in`, person.sub);
  const { hostname } = new URL(app.url);
  const host = { domain: hostname, path: '/', secure: true, httpOnly: true, sameSite: 'Strict' as const };
  await context.addCookies([...requests.cookies].map(([cookie, value]) => ({ ...host, name: cookie, value })));
  await go(path);
}

/** Graph requests of a page that are not answered yet. */
const underWay = new WeakMap<Page, Set<Request>>();

function watchGraphRequests(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  page.on('request', (request) => {
    if (isOfGraph(request)) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

const isOfGraph = (request: Request): boolean => request.url().endsWith('/console/graphql');

/** Until the page has a heading, and no skeleton and no request is left. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#main h1, #main h2');
  do {
    await page.waitForSelector('.skeleton, .ghost-line, [aria-busy=true]', { state: 'detached' });
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  } while (underWay.get(page)!.size > 0);
}

/** A service, and its administrator at a path of its console. */
export async function grace(path?: string, settings: Record<string, string> = {}): Promise<Visit & { app: TestApp }> {
  const app = await startConsole(settings);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', path);
  return { app, ...at };
}
