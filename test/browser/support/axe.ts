/** A page judged by axe with its best practices, at two sizes and in two themes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

const sizes = [
  [1440, 900],
  [390, 844],
] as const;

/** Of the page as it stands. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const violations: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.style.colorScheme = '${theme}'`);
      const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
      for (const { id, nodes } of found)
        for (const { html, failureSummary } of nodes)
          violations.push(`${width} ${theme}: ${id}: ${html} ${failureSummary}`);
    }
  }
  return violations;
}
