/** Every size of window: lists keep some rows, what is done in a row is in sight, and what has no room is said and found. */

import { largeRecords } from '../../dev/largeData.js';
import { builtFolder } from '../../src/modules/console/routes/builtFiles.js';
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import type { TestApp } from '../support/app.js';
import { startLargeApp } from '../support/largeCatalogue.js';
import { arrive, dataFolder, openBrowser, settled, type Visit, visit } from './support/browser.js';

const bruno = 'de300000-0000-4000-8000-000000000002';

let app: TestApp;
let at: Visit;
let review: string;
let proposal: string;
beforeAll(async () => {
  await openBrowser();
  app = await startLargeApp({ ID_TOKEN_ISSUERS: '', DATA_DIR: dataFolder() }, { consoleFolder: builtFolder });
  at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/reviews');
  const { page } = at;
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Every size');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('grid', { name: 'Every size' }).waitFor();
  proposal = await proposeChanges(
    { ...app.context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
    largeRecords.planners.slice(100, 140).map((applicationGuid) => ({
      mapping: { applicationGuid, accessScopeGuid: largeRecords.project020, to: 'active' },
    })),
    { note: 'Forty planners' },
  );
  review = new URL(page.url()).pathname.replace('/console', '');
});
afterEach(() => {
  expect(at.faults.splice(0)).toEqual([]);
});

/** The height of the grid, and its rows that are whole in sight: of the list, the page and the window. */
const measure = `(() => {
  const grid = document.querySelector('#main :is(.rows, .matrix)');
  const box = grid.getBoundingClientRect();
  const page = document.querySelector('#main').getBoundingClientRect();
  const head = grid.querySelector('.rows-head, .matrix-head').getBoundingClientRect();
  const top = Math.max(box.top, page.top, head.bottom);
  const bottom = Math.min(box.bottom, page.bottom, innerHeight);
  const rows = [...grid.querySelectorAll('.row, .matrix-row')].map((row) => row.getBoundingClientRect());
  return { height: box.height, whole: rows.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1).length };
})()`;
/** The first number of a proposal: whether something lies over it, and its lines. */
const firstNumber = `(() => {
  const number = document.querySelector('.effect strong');
  const { left, top, width, height } = number.getBoundingClientRect();
  const above = document.elementFromPoint(left + 10, top + height / 2);
  return [number.contains(above), Math.round(height / parseFloat(getComputedStyle(number).lineHeight))];
})()`;
const beyond = 'document.querySelector("#main").scrollWidth - document.querySelector("#main").clientWidth';

/** A window, and the whole rows that a list and the matrix show at least, once the page is scrolled to them. */
const sizes = [
  [1440, 900, 10, 12],
  [1280, 720, 6, 6],
  [1024, 768, 6, 7],
  [853, 480, 4, 3],
  [720, 450, 4, 3],
  [844, 390, 4, 3],
  [390, 844, 6, 6],
  // 400 % of 1280 × 1024
  [320, 256, 3, 1],
] as const;

const lists: [name: string, path: () => string][] = [
  ['users', () => '/users'],
  ['applications', () => '/applications'],
  ['an access review', () => review],
  ['holders of a profile', () => `/profiles/${largeRecords.lead}?tab=holders`],
  ['the matrix', () => '/matrix?type=site'],
];

describe.each(lists)('%s', (name, path) => {
  beforeAll(() => at.go(path()));

  it.each(
    sizes,
  )('in a window of %i × %i whole rows are in sight, a list is 280 px high at least, and nothing is beside the page', async (width, height, ofList, ofMatrix) => {
    const { page } = at;
    await page.setViewportSize({ width, height });
    await settled(page);
    await page.evaluate(`document.querySelector('#main :is(.rows, .matrix)').scrollIntoView({ block: 'end' })`);
    await settled(page);
    const seen = await page.evaluate<{ height: number; whole: number }>(measure);
    expect(seen.height).toBeGreaterThanOrEqual(280);
    expect(seen.whole).toBeGreaterThanOrEqual(name === 'the matrix' ? ofMatrix : ofList);
    expect(await page.evaluate(beyond)).toBe(0);
    // what is around the page never moves with it
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  });
});

describe.each(sizes)('in a window of %i × %i', (width, height) => {
  it('the menu reaches its last page, and the menu of the person is whole in sight', async () => {
    const { page, go } = at;
    await page.setViewportSize({ width, height });
    await go('/keys');
    if (width < 760) await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const last = page.getByRole('navigation').getByRole('link', { name: 'Translations' });
    await last.focus();
    const box = await last.boundingBox();
    const person = await page.getByRole('button', { name: /Grace Hall/ }).boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(person!.y);
    await page.getByRole('button', { name: /Grace Hall/ }).click();
    const menu = await page.locator('.who .menu').boundingBox();
    expect(menu!.y).toBeGreaterThanOrEqual(0);
    expect(menu!.y + menu!.height).toBeLessThanOrEqual(height);
    await page.keyboard.press('Escape');
  });

  it('a proposal is read whole: its page scrolls, and nothing lies over it', async () => {
    const { page, go } = at;
    await page.setViewportSize({ width, height });
    await go(`/inbox?proposal=${proposal}`);
    const body = page.locator('.inbox-body');
    await body.waitFor();
    expect(await body.evaluate((part) => part.clientHeight)).toBeGreaterThanOrEqual(height < 640 ? 150 : 120);
    await page
      .getByText(/^\+ [\d,]{5,}$/)
      .first()
      .scrollIntoViewIfNeeded();
    const [isInSight, lines] = await page.evaluate<[boolean, number]>(firstNumber);
    expect(isInSight).toBe(true);
    expect(lines).toBe(1);
  });
});

const narrow: [name: string, path: () => string, hidden: string[]][] = [
  ['an access review', () => review, ['Last used', 'Opens']],
  ['users', () => '/users', ['Job']],
  ['holders', () => `/profiles/${largeRecords.lead}?tab=holders`, ['Department', 'Since', 'Managed by']],
];

it.each(
  narrow,
)('at 1024 px, %s: what has no room is said in the head and is in the detail of a row', async (_, path, hidden) => {
  const { page, go } = at;
  await page.setViewportSize({ width: 1024, height: 768 });
  await go(path());
  const grid = page.getByRole('grid');
  expect(await grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const heads = await grid.getByRole('columnheader').allInnerTexts();
  for (const label of hidden) expect(heads.filter((head) => head.startsWith(label))).toEqual([]);
  await grid.getByText(`${hidden.length} hidden`).waitFor();
  // by keys and by the button
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  const detail = grid.locator('.row-detail');
  const labels = detail.locator('small:first-child');
  await detail.waitFor();
  expect(await labels.allInnerTexts()).toEqual([...hidden]);
  await page.keyboard.press('ArrowLeft');
  await detail.waitFor({ state: 'detached' });
  await grid
    .getByRole('button', { name: /^Details: / })
    .nth(1)
    .click();
  await detail.waitFor();
  expect(await labels.allInnerTexts()).toEqual([...hidden]);
});

it('at 1024 px what a change did has most of its line', async () => {
  const { page, go } = at;
  await page.setViewportSize({ width: 1024, height: 768 });
  await go('/history');
  const line = await page.locator('.entry').first().boundingBox();
  const what = await page.locator('.entry-what').first().boundingBox();
  expect(what!.width).toBeGreaterThan(line!.width / 2);
});

it('at 1024 px, both decisions of an access review are in sight', async () => {
  const { page, go } = at;
  await page.setViewportSize({ width: 1024, height: 768 });
  await go(review);
  for (const name of [/^Keep: /, /^End: /]) {
    const box = await page.getByRole('button', { name }).first().boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(1024);
  }
});

it.each([
  [390, 844],
  [1440, 900],
])('in a window of %i × %i, a short list is as high as its rows: the last one is whole', async (width, height) => {
  const { page, go } = at;
  await page.setViewportSize({ width, height });
  for (const path of ['/roles', '/types?q=o', '/profiles/grid-operator?tab=scopes', '/connectors?q=']) {
    await go(path);
    const grid = page.locator('#main .rows');
    if ((await grid.count()) === 0) continue;
    const beyond = await grid.evaluate((box) => box.scrollHeight - box.clientHeight);
    expect([path, beyond]).toEqual([path, 0]);
  }
});

it.each([1440, 1024])('at %i px no badge of a list is cut', async (width) => {
  const { page, go } = at;
  await page.setViewportSize({ width, height: 800 });
  let badges = 0;
  for (const path of [
    '/clients',
    '/applications?view=unused',
    '/users?view=blocked',
    '/scopes?view=unused',
    '/profiles',
  ]) {
    await go(path);
    const found = page.locator('#main .row .badge');
    badges += await found.count();
    const cut = await found.evaluateAll((all) =>
      all
        .filter((badge) => badge.getBoundingClientRect().right > badge.parentElement!.getBoundingClientRect().right)
        .map(({ textContent }) => textContent),
    );
    expect([path, cut]).toEqual([path, []]);
  }
  expect(badges).toBeGreaterThan(5);
});

it('the keys go through rows also where the window is short: the current row is in sight', async () => {
  const { page, go } = at;
  await page.setViewportSize({ width: 320, height: 256 });
  await go('/users');
  await page.getByRole('grid').focus();
  for (let key = 0; key < 5; key++) {
    await page.keyboard.press('j');
    await settled(page);
    const row = await page.locator('.row.at').boundingBox();
    expect([row!.y >= 52, row!.y + row!.height <= 256]).toEqual([true, true]);
  }
});
