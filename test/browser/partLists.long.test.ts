/** Every list that is shown part by part says how many there are, and ends with the last one. */
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { grace, openBrowser, settled } from './support/browser.js';
import { bruno, partLists, proposalSeed, reviewsSeed, usageSeed, yardSeed } from './support/lists.js';

let at: Awaited<ReturnType<typeof grace>>;
const seed = async (statements: readonly string[]) => {
  for (const statement of statements) await at.app.context.sql.rows(statement);
};
beforeAll(async () => {
  await openBrowser();
  at = await grace();
  const { context } = at.app;
  await proposeChanges(
    { ...context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
    [{ updateRole: { roleId: 'analyst', input: { description: 'Reads' } } }],
    { note: 'Wanted' },
  );
  await seed(yardSeed);
});

// a review that is open stays so on other pages
afterEach(async () => {
  const dialog = at.page.locator('dialog[open]');
  if ((await dialog.count()) > 0) await at.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

it.each(partLists)('$name: a part says its number and that of all, and the last one is reached', async (list) => {
  const { page, go } = at;
  await seed(list.seed ?? []);
  await go(list.path);
  for (const name of list.press ?? []) {
    await page.getByRole('button', { name }).first().click();
    await settled(page);
  }
  const rows = page.locator(`${list.holder} ${list.row}`);
  const rest = page.locator(`${list.holder} > footer.rest`);
  await rest.waitFor();
  for (let shown = 0; (await rest.count()) > 0; ) {
    const [, part, all] = /^Shown: ([\d,]+) of ([\d,]+)/.exec(await rest.innerText())!;
    expect(numberOf(all!)).toBe(list.total);
    expect(numberOf(part!)).toBe(await rows.count());
    expect(numberOf(part!)).toBeGreaterThan(shown);
    shown = numberOf(part!);
    await rest.getByRole('button', { name: /^Show (more|all)$/ }).click();
    await rows.nth(shown).waitFor();
    await settled(page);
  }
  expect(await rows.count()).toBe(list.total);
});

it.each([
  ['Waiting for your approval', /^4 of 71 open proposals$/, 'Open the inbox', /^71 proposals wait for you\./],
  ['Planned go-lives', /^4 of 70$/, 'Schedule', /^Scheduled 70$/],
  ['Access reviews', /^4 of 7\d$/, 'All reviews', /^Shown: 20 of 7\d$/],
  ['Latest changes', undefined, /^All \d+ changes$/, /^\d+ changes so far$/],
])('%s: the card says how many there are, and leads to all of them', async (title, said, link, there) => {
  const { page, go } = at;
  await seed([...proposalSeed, ...reviewsSeed]);
  await go('/overview');
  const card = page.getByRole('region', { name: title });
  if (said) await card.getByText(said).waitFor();
  const words = await card.getByRole('link', { name: link }).innerText();
  await card.getByRole('link', { name: link }).click();
  const counted = await page.getByText(there).first().innerText();
  if (!said) expect(/\d+/.exec(counted)![0]).toBe(/\d+/.exec(words)![0]);
});

it('the usage of a client says how many kinds of requests there are, and leads to all of them', async () => {
  const { page, go } = at;
  await seed(usageSeed);
  await go('/clients/yard');
  await page.getByText('Shown: 10 of 70').waitFor();
  await page.getByRole('link', { name: 'All kinds of requests' }).click();
  await page.getByText(/^70 kinds of requests/).waitFor();
});
