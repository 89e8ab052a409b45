/** A network on which changes arrive, and what is read after them takes its time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { builtFolder } from '../../../src/modules/console/routes/builtFiles.js';

const texts: Record<string, string> = JSON.parse(readFileSync(join(builtFolder, 'documents.json'), 'utf8'));
/** The operation that a body names, such as `mutation ApplyChanges`. */
export const operationOf = (body: string): string | undefined => {
  const { documentId } = JSON.parse(body || '{}') as { documentId?: string };
  return /^\w+ \w+/.exec(texts[documentId?.slice('sha256:'.length) ?? ''] ?? '')?.[0];
};
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
