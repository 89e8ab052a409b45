/** A page judged by axe with its best practices, at two sizes and in two themes; on the small one nothing lies beyond the edge. */
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
  [360, 800],
] as const;
const tablet = { width: 820, height: 1180 };

/** What reaches over the left or right edge of a part that doesn't scroll sideways (WCAG 2.2, 1.4.10). */
export const beyondTheEdge = `[...document.querySelectorAll('a, button, input, select, textarea, h1, h2, h3, p')]
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    if (width <= 1 || (left >= 0 && right <= innerWidth) || !element.checkVisibility({ visibilityProperty: true })) return false;
    for (let part = element.parentElement; part; part = part.parentElement)
      if (/auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth) return part.id === 'main';
    return true;
  })
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;

/** Of what passes axe keeps no list, which takes longer than to judge. */
const judgeBy = (options: object) =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`;

/** Every rule for one theme; the other differs from it by its colours alone. */
const themes = {
  light: judgeBy({}),
  dark: judgeBy({ runOnly: ['color-contrast', 'link-in-text-block'] }),
};

/** Of the page as it stands. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const violations: string[] = [];
  await page.setViewportSize(tablet);
  for (const html of await page.evaluate<string[]>(beyondTheEdge))
    violations.push(`${tablet.width}: beyond the edge: ${html}`);
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const html of await page.evaluate<string[]>(beyondTheEdge))
      violations.push(`${width}: beyond the edge: ${html}`);
    for (const [theme, judge] of Object.entries(themes)) {
      await page.evaluate(`document.documentElement.style.colorScheme = '${theme}'`);
      const found = await page.evaluate<Violation[]>(judge);
      for (const { id, nodes } of found)
        for (const { html, failureSummary } of nodes)
          violations.push(`${width} ${theme}: ${id}: ${html} ${failureSummary}`);
    }
  }
  return violations;
}

/** To be evaluated in the page: which of the texts are cut by a box around them, and can't be scrolled into sight. */
export const cutTexts = (selector: string): string => `[...document.querySelectorAll('${selector}')].filter((text) => {
  const range = document.createRange();
  range.selectNodeContents(text);
  const { right, top, bottom } = range.getBoundingClientRect();
  for (let box = text; box.id !== 'main'; box = box.parentElement) {
    const { overflowX, paddingRight } = getComputedStyle(box);
    if (/auto|scroll/.test(overflowX)) break;
    const edges = box.getBoundingClientRect();
    // the box of a letter is higher than a narrow line
    const isBeyond = right > edges.right - parseFloat(paddingRight) + 0.5 || bottom > edges.bottom + 2 || top < edges.top - 2;
    if (overflowX !== 'visible' && isBeyond) return true;
  }
  return false;
}).map((text) => text.textContent)`;
