/** How many clicks a task takes: presses of the pointer, whatever becomes of them. */
import type { Page } from 'playwright-core';

/** Counts from now on, as long as the page is not loaded again. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.clicks = 0; addEventListener('pointerdown', () => window.clicks++, true)`);
  return () => page.evaluate<number>('window.clicks');
}
