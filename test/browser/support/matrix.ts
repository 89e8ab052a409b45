/** Acts in the matrix of the demonstration's sites. */
import type { Visit } from './browser.js';

/** From the first cell: three columns right is Harbour station, four rows down Grid monitor. */
export async function flipHarbourOfGridMonitor({ page }: Pick<Visit, 'page'>): Promise<void> {
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  for (let row = 0; row < 4; row++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
}
