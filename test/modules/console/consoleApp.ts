/** A service with a console for tests: its built files, and a browser's requests to them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Answer, startTestApp, type TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { type Browser, openBrowser } from './browser.js';
import { writeDocuments } from './documents.js';

export const script = 'console.log("the console");\n'.repeat(50);

/** As the build leaves it: a page that names its assets, which stand compressed beside themselves. */
export function builtConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  const page = '<!doctype html><html><head><base href="/console/"><title>Gatehouse</title></head><body></body></html>';
  writeFileSync(join(folder, 'index.html'), page);
  writeDocuments(folder);
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets/index-4f3a.js'), script);
  writeFileSync(join(folder, 'assets/index-4f3a.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets/index-4f3a.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'assets/small-77b0.css'), 'body{}');
  return folder;
}

/** The console of a development start: its identity provider, and the demonstration's people. */
export interface DevelopmentConsole {
  app: TestApp;
  /** A browser in which nobody is signed in. */
  newBrowser(): Browser;
  /** A browser in which the person is signed in, and the page that it got last. */
  signIn(user: string, path?: string): Promise<{ browser: Browser; page: Answer }>;
}

/** Guids of the demonstration's people. */
const person = (number: number): string => `de300000-0000-4000-8000-00000000000${number}`;
export const people = { ada: person(1), bruno: person(2), grace: person(6), mallory: person(7) };

export async function startDevelopmentConsole(settings: Record<string, string> = {}): Promise<DevelopmentConsole> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-console-data-'));
  closeAtEnd(async () => rmSync(dataDir, { recursive: true }));
  const own = { ID_TOKEN_ISSUERS: '', DATA_DIR: dataDir, ...settings };
  const app = await startTestApp(own, { consoleFolder: builtConsole() });
  const base = app.url + (settings.BASE_PATH ?? '');
  const newBrowser = () => openBrowser(base);
  return {
    app,
    newBrowser,
    async signIn(user, path = '/console/sign-in') {
      const browser = newBrowser();
      return { browser, page: await finishSignIn(browser, base + path, user) };
    },
  };
}

/** From the address where a sign-in begins, by the page of users, to what the callback answers. */
export async function finishSignIn(browser: Browser, from: string, user: string): Promise<Answer> {
  const leave = await browser.go(from);
  const authorize = new URL(leave.headers.get('location')!);
  authorize.searchParams.set('user', user);
  return browser.follow(authorize.href);
}
