/** Every screen passes axe with its best practices, at two sizes and in two themes, and keeps to its own policy. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { openBrowser, settled, signIn, startConsole, type Visit, visit } from './support/browser.js';
import { screens } from './support/screens.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let at: Visit;
beforeAll(async () => {
  await openBrowser();
  const app = await startConsole();
  at = await visit(app);
  await signIn(app, at, 'Grace Hall');
  await settled(at.page);
});

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

async function violationsOf(page: Page, looks: string): Promise<string[]> {
  const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${looks}: ${id}: ${html} ${failureSummary}`),
  );
}

const sizes = [
  [1440, 900],
  [390, 844],
] as const;

it.each(screens)('$name', async ({ path, act }) => {
  const { page, faults, go } = at;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate('sessionStorage.clear()');
  await go(path);
  await act?.(page);
  await page.evaluate(axeSource);
  const violations: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.style.colorScheme = '${theme}'`);
      violations.push(...(await violationsOf(page, `${width} ${theme}`)));
    }
  }

  expect(violations).toEqual([]);
  expect(faults).toEqual([]);
});
