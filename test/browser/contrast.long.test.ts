/** What can be pressed, and what shows a state, stands out from its ground; with the system's colours, by its shape. */
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { grace, openBrowser, settled } from './support/browser.js';

const bruno = 'de300000-0000-4000-8000-000000000002';
const harbour = 'de320000-0000-4000-8000-000000000003';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
  // every state in one row
  await at.app.context.sql.rows(
    `update access_scope_applications_mappers set state = case access_scope_applications_mapper_id % 3 when 0 then 'planned' when 1 then 'inactive' else 'active' end`,
  );
});

/** The least contrast of each kind of border with what lies around it. */
const leastContrasts = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const paint = (colours) => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = (element) => element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : [];
  const found = {};
  for (const selector of ['.input', '.search', '.select select', 'input[type=checkbox]', '.mark.planned', '.mark.other', '.mark.by-type']) {
    for (const element of document.querySelectorAll(selector)) {
      if (element.disabled || element.readOnly || !element.checkVisibility()) continue;
      const around = grounds(element.parentElement);
      const [edge, ground] = [light(paint([...around, getComputedStyle(element).borderTopColor])), light(paint(around))];
      const contrast = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05);
      found[selector] = Math.min(found[selector] ?? 21, contrast);
    }
  }
  return found;
})()`;

it.each(['light', 'dark'] as const)('in %s colours every border of a control and of a state has 3:1', async (theme) => {
  const { page, go } = at;
  await page.emulateMedia({ colorScheme: theme });
  const least: Record<string, number> = {};
  for (const path of ['/applications', '/history', '/matrix?type=site', '/users', '/scopes/new', '/why']) {
    await go(path);
    for (const [kind, contrast] of Object.entries(await page.evaluate<Record<string, number>>(leastContrasts)))
      least[kind] = Math.min(least[kind] ?? 21, contrast);
  }
  expect(Object.keys(least)).toEqual(
    expect.arrayContaining(['.input', '.search', '.select select', '.mark.planned', '.mark.other']),
  );
  expect(Object.entries(least).filter(([, contrast]) => contrast < 3)).toEqual([]);
});

it('with the system’s colours the marks of the matrix differ in their shapes', async () => {
  const { page, go } = at;
  await page.emulateMedia({ forcedColors: 'active' });
  await go('/matrix?type=site');
  const shapes = await page.evaluate<string[]>(
    `['none', 'active', 'planned', 'other', 'by-type', 'give', 'take', 'change'].map((mark) => {
      const element = document.createElement('span');
      element.className = (mark === 'none' ? 'matrix-cell ' : 'mark ') + mark;
      document.querySelector('.legend').append(element);
      const { borderStyle, borderWidth, borderColor, backgroundImage, backgroundColor } =
        getComputedStyle(element, mark === 'none' ? '::before' : null);
      element.remove();
      const icon = { active: 'tick', give: 'plus', take: 'minus', change: 'pencil' }[mark] ?? '';
      return [borderStyle, borderWidth, borderColor === backgroundColor, backgroundImage, backgroundColor, icon].join(' ');
    })`,
  );
  expect(new Set(shapes).size).toBe(shapes.length);
});

/** What is chosen, beside what is not: of each pair of the page whether they differ to the eye. */
const alike = `(() => {
  const look = (element) => {
    const { outlineStyle, outlineColor, borderBottomColor, borderBottomStyle, backgroundColor } = getComputedStyle(element);
    return [outlineStyle, outlineStyle === 'none' ? '' : outlineColor, borderBottomStyle, borderBottomColor, backgroundColor].join(' ');
  };
  const states = ['aria-selected', 'aria-current', 'aria-pressed'];
  const chosen = [...document.querySelectorAll('#main :is(a, button, [role=tab]):is([aria-selected=true], [aria-current]:not([aria-current=false]), [aria-pressed=true])')];
  return chosen.flatMap((element) => {
    const state = states.find((name) => element.hasAttribute(name));
    const others = [...document.querySelectorAll(element.tagName)].filter(
      (other) => other.className === element.className && other.parentElement.className === element.parentElement.className && /^(false|)$/.test(other.getAttribute(state) ?? ''),
    );
    if (others.length === 0) return [];
    seen.push(element.textContent);
    return others.some((other) => look(other) === look(element)) ? [element.outerHTML.slice(0, 120)] : [];
  });
})()`;

it('with the system’s colours what is chosen differs from what is not: tabs, the proposal that is read, filters, decisions', async () => {
  const { app, page, go } = at;
  const propose = (isActive: boolean, note: string) =>
    proposeChanges(
      { ...app.context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
      [{ updateAccessScope: { accessScopeGuid: harbour, input: { isActive, description: note } } }],
      { note },
    );
  await propose(false, 'The harbour is closed');
  await propose(true, 'The harbour is open');
  await page.emulateMedia({ forcedColors: 'active' });
  await go('/reviews');
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Chosen');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('grid', { name: 'Chosen' }).waitFor();
  const review = new URL(page.url()).pathname.replace('/console', '');
  const pairs: Record<string, number> = {};
  for (const path of [
    '/profiles/grid-operator',
    '/inbox',
    '/scopes',
    '/translations',
    '/compare/profiles?left=grid-operator&right=reporting',
    review,
  ]) {
    await go(path);
    if (path === review) {
      await page
        .getByRole('button', { name: /^Keep: / })
        .first()
        .click();
      await page
        .getByRole('button', { name: /^End: / })
        .nth(1)
        .click();
      await page.locator('[aria-pressed=true].end').waitFor();
      await settled(page);
    }
    const [same, count] = await page.evaluate<[string[], number]>(
      `(() => { const seen = []; return [${alike}, seen.length]; })()`,
    );
    expect([path, same]).toEqual([path, []]);
    pairs[path] = count;
  }
  expect(Object.entries(pairs).filter(([, count]) => count === 0)).toEqual([]);
});
