/** Access reviews in the console: started, decided by keys, kept through a reload, finished; and lists saved as CSV. */
import { readFileSync } from 'node:fs';
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { decideItems } from '../../src/modules/governance/reviews/decideItems.js';
import { writeEvidence } from '../../src/modules/governance/reviews/evidence.js';
import { startReview } from '../../src/modules/governance/reviews/startReview.js';
import type { TestApp } from '../support/app.js';
import { arrive, grace, openBrowser, settled, startConsole, visit } from './support/browser.js';
import { comeBack, slowDown } from './support/slow.js';

beforeAll(openBrowser);

const proposeNote = ({ context }: TestApp) =>
  proposeChanges(
    { ...context, face: 'graphql' },
    [{ updateRole: { roleId: 'analyst', input: { description: 'Reads' } } }],
    { note: '=1+1' },
  );

it('where the answer to Start is lost, and the same is started again, there is one review', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/reviews');
  const { page } = at;
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Spring');
  const start = page.getByRole('button', { name: 'Start', exact: true });
  await start.and(page.locator(':enabled')).waitFor();
  await page.route('**/console/graphql', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await start.click();
  await page.getByText('Gatehouse can’t be reached', { exact: true }).first().waitFor();
  await page.unroute('**/console/graphql');
  await start.and(page.locator(':enabled')).click();
  await page.getByRole('grid', { name: 'Spring' }).waitFor();
  expect(await app.context.sql.rows('select from reviews')).toHaveLength(1);
});

it('a review is started, decided by keys, survives a reload, and is finished', async () => {
  const app = await startConsole();
  await app.context.sql.rows(`update user_profiles set last_used_at = date_trunc('day', now(), 'UTC')
    where user_profile_id = (select min(user_profile_id) from user_profiles)`);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/reviews');
  const { page } = at;
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Spring');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const grid = page.getByRole('grid', { name: 'Spring' });
  await grid.waitFor();
  // a last use is known by its day, which is not some hours ago
  await grid.getByText('today', { exact: true }).waitFor();
  await page.getByText('K keep').waitFor();
  await grid.focus();
  let answer = () => {};
  const answering = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/graphql', async (route) => {
    await answering;
    await route.continue();
  });
  await page.keyboard.press('k');
  await page.keyboard.press('e');
  await page.getByText('2 not saved yet').waitFor();
  answer();
  await page.getByText(/^2 of \d+ grants decided/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Decided 2' }).click();
  await page
    .getByRole('grid')
    .getByRole('button', { name: /^Keep: /, pressed: true })
    .waitFor();
  const [before] = await app.context.sql.rows<{ count: number }>('select count(*)::int as count from user_profiles');
  // why, beside the row, and decided there
  await page.getByRole('button', { name: /^All/ }).click();
  await settled(page);
  await page.getByRole('grid').press('Enter');
  const beside = page.getByRole('complementary', { name: 'Why' });
  await beside.getByText('Granted').waitFor();
  await beside.getByText('At the start of the review').waitFor();
  await page.keyboard.press('Escape');
  await beside.waitFor({ state: 'detached' });
  expect(await page.getByRole('grid').evaluate((grid) => grid.matches(':focus'))).toBe(true);

  // the owners, and the address of a part
  await page.getByRole('button', { name: 'By owner…' }).click();
  // where the browser does not allow copying, the address is there to be selected; else it is said that it was copied
  const copying = page.getByRole('dialog').getByRole('button', { name: /: Without an owner$/ });
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))');
  await copying.click();
  const refused = page.getByRole('dialog').getByRole('alert');
  await refused.getByText('The browser does not allow copying.').waitFor();
  expect(await refused.innerText()).toContain('owner=-');
  await page.evaluate('navigator.clipboard.writeText = () => Promise.resolve()');
  await copying.click();
  await page.getByRole('dialog').getByText('Copied').waitFor();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /of \d+ grants/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Remove the filter Owner/ }).waitFor();
  expect(page.url()).toMatch(/owner(less)?=/);

  // the evidence is what the command writes, with the mark of UTF-8
  const [, guid] = /reviews\/([\w-]{36})/.exec(page.url())!;
  await page.getByRole('button', { name: 'Save evidence…' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^gatehouse-review-spring-\d{4}-\d\d-\d\d\.csv$/);
  let evidence = '';
  await writeEvidence(
    { ...app.context, caller: { kind: 'system', sub: guid!, permissions: new Set(['admin:read']) } },
    guid!,
    'csv',
    async (text) => {
      evidence += text;
    },
  );
  expect(readFileSync(await download.path(), 'utf8')).toBe(`\uFEFF${evidence}`);

  await page.getByRole('button', { name: 'Finish…' }).click();
  await page.getByText('What ends: 1 grant').waitFor();
  // the effect was seen before: to count it once more would take as long as the finishing
  const [finished] = await Promise.all([
    page.waitForResponse((answer) => answer.request().postData()?.includes('"dryRun":false') ?? false),
    page.getByRole('button', { name: 'Finish and end what was decided' }).click(),
  ]);
  expect((await finished.json()).data.finishReview).not.toHaveProperty('effect');
  await page.getByText(/grants decided · finished/).waitFor();
  const [after] = await app.context.sql.rows<{ count: number }>('select count(*)::int as count from user_profiles');
  expect(after!.count).toBe(before!.count - 1);
});

it('a decision that is refused is discarded, and those beside it are saved', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/reviews');
  const { page } = at;
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Refused');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const grid = page.getByRole('grid', { name: 'Refused' });
  await grid.waitFor();
  await page.getByText('K keep').waitFor();
  // the rows are those of before: read later, the list of what is mine would begin with the second
  await settled(page);
  // the first row of the list gets an owner, who is somebody else
  await app.context.sql.rows(
    `update review_items set owner_profile_id = 'field-harbour' where review_item_id =
       (select review_item_id from review_items order by user_name, review_item_id limit 1)`,
  );
  await grid.focus();
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.getByRole('button', { name: 'Discard 1 decision that was refused' }).click();
  await page.getByText(/^1 of \d+ grants decided/).waitFor();
  const decided = await app.context.sql.rows(
    'select from review_items where decision is not null and owner_profile_id is null',
  );
  expect(decided).toHaveLength(1);
});

it('a review that was started by mistake is cancelled, and stays to be read', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/reviews');
  const { page } = at;
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Mistake');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'More about this review' }).click();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the review' }).click();
  await page.getByText(/cancelled .* by Grace Hall/).waitFor();
  expect(await page.getByRole('button', { name: 'Finish…' }).count()).toBe(0);
  await at.go('/reviews?view=CANCELLED');
  await page.getByRole('link', { name: 'Mistake' }).waitFor();
});

const emma = 'de300000-0000-4000-8000-000000000005';
/** Another person who decides about the same grants. */
const byEmma = ({ context }: TestApp) => ({
  ...context,
  caller: { kind: 'system' as const, sub: emma, permissions: new Set(['admin:read', 'admin:security'] as const) },
});

/** A review of what people hold, and its page with the marked row. */
async function startSpring() {
  const at = await grace();
  const { app, page, go } = at;
  const guid = await startReview(byEmma(app), {
    name: 'Spring',
    filter: { kinds: ['USER_PROFILE'] },
    dueAt: new Date(Date.now() + 86_400_000).toISOString(),
    undecided: 'KEEP',
  });
  await go(`/reviews/${guid}`);
  const grid = page.getByRole('grid', { name: 'Spring' });
  const items = () =>
    app.context.sql.rows<{ guid: string; name: string; profile: string; decision: string | null; revision: number }>(
      `select item_guid::text as guid, user_name as name, profile_name as profile, decision, revision from review_items
       order by decision nulls last, user_name, review_item_id`,
    );
  const decideByEmma = async (item: { guid: string; revision: number }, decision: 'KEEP' | 'END') =>
    decideItems(byEmma(app), guid, [{ itemGuid: item.guid, decision, ifRevision: item.revision }]);
  return { ...at, guid, grid, items, decideByEmma, marked: page.locator('.row.at') };
}

it('keys decide about the row that is marked, wherever it is read again; about none, when it is gone', async () => {
  const { page, grid, marked, items, decideByEmma } = await startSpring();
  await grid.focus();
  const first = await marked.locator('b').first().innerText();
  for (const key of ['k', 'k', 'k']) await page.keyboard.press(key);
  await page.getByText(/^3 of \d+ grants decided/).waitFor();
  const [name, profile] = await marked.locator('b').allInnerTexts();
  await comeBack(page);
  await grid.locator('[aria-rowindex="2"].at').waitFor();
  await page.keyboard.press('e');
  await page.getByText(/^4 of \d+ grants decided/).waitFor();
  expect((await items())[0]).toMatchObject({ name, profile, decision: 'END' });
  expect(name).not.toBe(first);

  const [nextName, nextProfile] = await marked.locator('b').allInnerTexts();
  const next = (await items()).find((item) => item.name === nextName && item.profile === nextProfile)!;
  await decideByEmma(next, 'KEEP');
  await comeBack(page);
  await marked.waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await settled(page);
  expect(await page.getByText('not saved yet').count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await marked.waitFor();
});

it('a row shows the decision that is read, also after an own one that was saved', async () => {
  const { page, grid, items, decideByEmma } = await startSpring();
  await grid.focus();
  await page.keyboard.press('k');
  await page.getByText(/^1 of \d+ grants decided/).waitFor();
  await page.getByRole('button', { name: 'Decided 1' }).click();
  await grid.getByRole('button', { name: /^Keep: /, pressed: true }).waitFor();
  await decideByEmma((await items())[0]!, 'END');
  await comeBack(page);
  await grid.getByRole('button', { name: /^End: /, pressed: true }).waitFor();
});

it('the lists of a review have what was decided as soon as their numbers do', async () => {
  const { page, grid } = await startSpring();
  const rows = () => grid.getByRole('button', { name: /^Keep: / });
  await page.getByRole('button', { name: 'Decided 0' }).click();
  await settled(page);
  expect(await rows().count()).toBe(0);
  await page.getByRole('button', { name: /^Mine/ }).click();
  await rows().first().waitFor();
  await grid.focus();
  const decided = await rows().first().getAttribute('aria-label');
  await page.keyboard.press('k');
  await page.getByRole('button', { name: 'Decided 1' }).click();
  await rows().first().waitFor();
  expect(await rows().evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([decided]);
  await page.getByRole('button', { name: /^Mine/ }).click();
  await settled(page);
  expect(await page.getByRole('button', { name: decided!, exact: true }).count()).toBe(0);
});

it('decisions are sent when their page is left, and the browser asks before it is closed meanwhile', async () => {
  const { page, grid, items } = await startSpring();
  await grid.focus();
  const { waits, goOn } = await slowDown(page, (body) => body.includes('"DecideReviewItems"'));
  await page.keyboard.press('e');
  await page.getByRole('link', { name: 'Roles' }).click();
  await waits;
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
  const asked = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  const saved = page.waitForResponse((answer) => answer.request().postData()?.includes('"DecideReviewItems"') ?? false);
  goOn();
  await saved;
  expect((await items())[0]!.decision).toBe('END');
});

it('a review is finished as it is shown: what somebody decides meanwhile is shown before it is done', async () => {
  const { page, guid, items, decideByEmma, app } = await startSpring();
  await page.getByRole('button', { name: 'Finish…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('What ends: 0 grants').waitFor();
  const finish = sheet.getByRole('button', { name: 'Finish and end what was decided' });
  await decideByEmma((await items())[0]!, 'END');
  await finish.click();
  await sheet.getByText('What ends: 1 grant').waitFor();
  await sheet.getByText('Somebody has decided since the review was read').waitFor();
  const [{ state }] = (await app.context.sql.rows('select state from reviews where review_guid = $1::uuid', [
    guid,
  ])) as [{ state: string }];
  expect(state).toBe('OPEN');
  await finish.click();
  await page.getByText(/grants decided · finished/).waitFor();
});

it('a list is saved as CSV as it is filtered, and no text of it is a formula', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await app.context.sql.rows(`update roles set description = '=1+1' where role_id = (select min(role_id) from roles)`);
  await arrive(app, at, 'Grace Hall', '/roles');
  const { page } = at;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^gatehouse-roles-\d{4}-\d\d-\d\d\.csv$/);
  const [first, head, ...lines] = readFileSync(await download.path(), 'utf8')
    .replace(/\r\n$/, '')
    .split('\r\n');
  expect(first).toMatch(/^\uFEFFGatehouse export,roles,filter,none,rows,\d+,made,/);
  expect(head).toMatch(/^roleId,name,description,/);
  const [roles] = await app.context.sql.rows<{ count: number }>('select count(*)::int as count from roles');
  expect(lines).toHaveLength(roles!.count);
  expect(lines.join('\n')).toContain(`"'=1+1"`);
});

it('a list of thousands is saved from one moment, each row once', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await app.context.sql.rows(
    `insert into roles (role_id, name, created_by) select 'r' || n, 'R' || n, gen_random_uuid() from generate_series(1, 3100) n`,
  );
  await arrive(app, at, 'Grace Hall', '/roles?q=R');
  const [download] = await Promise.all([
    at.page.waitForEvent('download'),
    at.page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .split('\r\n')
    .slice(2, -1);
  expect(lines.length).toBeGreaterThanOrEqual(3_100);
  expect(new Set(lines.map((line) => line.split(',')[0]))).toHaveProperty('size', lines.length);
  await at.page.getByText(`Saved ${lines.length.toLocaleString('en')} rows as CSV.`).waitFor();
});

it('the people who reach an application, the history, proposals and reviews can be saved as CSV', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/applications/de330000-0000-4000-8000-000000000001');
  const { page, go } = at;
  const saved = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).last().click(),
    ]);
    const [first, ...lines] = readFileSync(await download.path(), 'utf8')
      .split('\r\n')
      .slice(0, -1);
    expect(first).toMatch(/^\uFEFFGatehouse export,.*,by,"Grace Hall, grace@example.com"$/);
    return { name: download.suggestedFilename(), lines };
  };
  const reach = await saved();
  expect(reach.name).toMatch(/^gatehouse-access-of-grid-monitor-/);
  expect(reach.lines[0]).toMatch(/^through,firstName,lastName,email,.*,profile,profileId,role,/);
  const people = await app.context.sql.rows(
    `select distinct link.profile_id, link.user_id, link.role_id from user_profiles link join profile_access_scopes has using (profile_id)
       join access_scopes s using (access_scope_id)
       join access_scope_applications_mappers mapper using (access_scope_id) join applications a using (application_id)
     join users u using (user_id)
     where a.name = 'Grid monitor' and mapper.state = 'active' and not u.is_blocked`,
  );
  expect(people.length).toBeGreaterThan(0);
  expect(reach.lines.filter((line) => line.includes('@example.com'))).toHaveLength(people.length);
  for (const [path, name] of [
    ['/history', 'gatehouse-history-'],
    ['/inbox?view=open', 'gatehouse-proposals-'],
    ['/reviews', 'gatehouse-access-reviews-'],
  ] as const) {
    if (path.startsWith('/inbox')) await proposeNote(app);
    await go(path);
    if (path === '/reviews') {
      await page.getByRole('button', { name: 'Start a review…' }).click();
      await page.getByLabel('Name').fill('Spring');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('grid', { name: 'Spring' }).waitFor();
      await go(path);
    }
    const { name: file, lines } = await saved();
    expect(file).toMatch(new RegExp(`^${name}`));
    expect(lines.length).toBeGreaterThan(1);
  }
});
