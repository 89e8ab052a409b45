/** What can be pressed, and what shows a state, stands out from its ground; with the system's colours, by its shape. */
import { grace, openBrowser } from './support/browser.js';

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
