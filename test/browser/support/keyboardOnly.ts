/** A browser that is driven by its keyboard only: Chromium through playwright-core, Firefox through WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { until } from '../../support/until.js';
import { visit } from './browser.js';

export interface Keyboard {
  open(url: string): Promise<void>;
  /** A key as playwright names it, with those held: `Control+k`. */
  press(key: string): Promise<void>;
  /** The JSON of what an expression of the page is. */
  evaluate<Value>(expression: string): Promise<Value>;
}

const firefoxPath = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
export const hasFirefox = existsSync(firefoxPath);

export async function chromiumKeyboard(app: TestApp): Promise<Keyboard> {
  const { page } = await visit(app);
  return {
    open: async (url) => {
      await page.goto(url);
    },
    press: (key) => page.keyboard.press(key),
    evaluate: async <Value>(expression: string) =>
      JSON.parse(await page.evaluate<string>(`JSON.stringify(${expression})`)) as Value,
  };
}

/** The code points of keys without a character, https://www.w3.org/TR/webdriver2/#keyboard-actions */
const codes: Record<string, string> = {
  Control: '\uE009',
  Shift: '\uE008',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

interface Answer {
  id: number;
  type: string;
  message?: string;
  result?: unknown;
}

export async function firefoxKeyboard(): Promise<Keyboard> {
  const profile = mkdtempSync(join(tmpdir(), 'gatehouse-firefox-'));
  const options = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const firefox = spawn(firefoxPath, options, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  const ended = once(firefox, 'exit');
  closeAtEnd(async () => {
    firefox.kill('SIGKILL');
    await ended;
    // its children may still write
    rmSync(profile, { recursive: true, force: true, maxRetries: 50 });
  });
  let address: string | undefined;
  createInterface(firefox.stderr).on('line', (line) => {
    address ??= /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
  });
  const socket = new WebSocket(`${await until(() => address)}/session`);
  await once(socket, 'open');
  const closed = once(socket, 'close').then((): Answer => ({ id: 0, type: 'error', message: 'Firefox has ended' }));
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  async function command<Result>(method: string, params: object): Promise<Result> {
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result } = await Promise.race([promise, closed]);
    if (type !== 'success') throw new Error(`${method}: ${message}`);
    return result as Result;
  }

  await command('session.new', { capabilities: {} });
  // in the tab that it opens with, Firefox leaves the focus on the address, and Enter presses nothing
  const { context } = await command<{ context: string }>('browsingContext.create', { type: 'tab' });
  await command('browsingContext.activate', { context });
  return {
    open: (url) => command('browsingContext.navigate', { context, url, wait: 'complete' }),
    press: (key) => {
      const values = key.split('+').map((name) => codes[name] ?? name);
      const actions = [
        ...values.map((value) => ({ type: 'keyDown', value })),
        ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
      ];
      return command('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    evaluate: async <Value>(expression: string) => {
      const { result } = await command<{ result: { value: string } }>('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: false,
      });
      return JSON.parse(result.value) as Value;
    },
  };
}

/** What has the focus, by the name that a screen reader says: its label or its text; empty where nothing has it. */
const focusedName = `((element) =>
  element === document.body ? '' : (element.ariaLabel ?? [...(element.labels ?? [])].map((label) => label.innerText).join(' ')) || element.innerText || '')(document.activeElement ?? document.body)
  .replace(/\\s+/g, ' ').trim()`;

/** More stops than any page has. */
const stopsMax = 150;

/** What a person does who has no pointer. */
export function handsOf({ open, press, evaluate }: Keyboard) {
  const text = () => evaluate<string>('document.body?.innerText ?? ""');
  const hands = {
    open,
    press,
    async write(words: string) {
      for (const letter of words) await press(letter === ' ' ? 'Space' : letter);
    },
    /** Until the page says so. */
    sees: (words: string) => until(async () => (await text().catch(() => '')).includes(words)),
    isAt: (path: string) =>
      until(() => evaluate<boolean>(`location.href.includes(${JSON.stringify(path)})`).catch(() => false)),
    focused: () => evaluate<string>(focusedName),
    /** Goes on with Tab until what has the focus is called so; the focus is seen at every stop. */
    async tabTo(name: string | RegExp, key = 'Tab') {
      const stops: string[] = [];
      for (let stop = 0; stop < stopsMax; stop++) {
        const at = await hands.focused();
        if (typeof name === 'string' ? at === name : name.test(at)) return;
        stops.push(at.slice(0, 40));
        await press(key);
      }
      throw new Error(`no stop is called ${name}: ${stops.join(' | ')}`);
    },
    async choose(name: string | RegExp) {
      await hands.tabTo(name);
      await press('Enter');
    },
  };
  return hands;
}
