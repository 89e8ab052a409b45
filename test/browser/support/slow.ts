/** A network on which changes arrive, and what is read after them takes its time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { builtFolder } from '../../../src/modules/console/routes/builtFiles.js';

const texts: Record<string, string> = JSON.parse(readFileSync(join(builtFolder, 'documents.json'), 'utf8'));
const textOf = (body: string): string => {
  const { documentId } = JSON.parse(body || '{}') as { documentId?: string };
  return texts[documentId?.slice('sha256:'.length) ?? ''] ?? '';
};
/** The operation that a body names, such as `mutation ApplyChanges`. */
export const operationOf = (body: string): string | undefined => /^\w+ \w+/.exec(textOf(body))?.[0];
const isMutation = (body: string): boolean => operationOf(body)?.startsWith('mutation ') ?? false;

interface Slow {
  /** Resolves at the first request that waits. */
  waits: Promise<void>;
  /** All that waits goes on, and nothing waits any more. */
  goOn(): void;
}

/** From now on every graph request waits that `isHeld` holds by its body: unless said otherwise, all that are no mutation. */
export async function slowDown(page: Page, isHeld = (body: string) => !isMutation(body)): Promise<Slow> {
  const first = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  await page.route('**/console/graphql', async (route) => {
    if (isHeld(route.request().postData() ?? '')) {
      first.resolve();
      await end.promise;
    }
    await route.fallback();
  });
  return { waits: first.promise, goOn: end.resolve };
}

/** The reader looks at another window, and comes back to this one after some time: what is old is read again. */
export async function comeBack(page: Page): Promise<void> {
  await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 60_000);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}

/** From now on each graph request whose text names the field or type takes more time than the service has, until the returned function is called. */
export async function timeOut(page: Page, field: string): Promise<() => Promise<void>> {
  const message =
    'This read took more than 3 s of database time. Narrow its filter, ask for fewer levels or a smaller page.';
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] });
  const answer = async (route: Route) => {
    const isOfField = new RegExp(`\\b${field}\\b`).test(textOf(route.request().postData() ?? ''));
    if (isOfField) await route.fulfill({ status: 503, contentType: 'application/json', body });
    else await route.fallback();
  };
  await page.route('**/console/graphql', answer);
  return () => page.unroute('**/console/graphql', answer);
}
