/** What pages show when something is not as usual: no answer, no permission, no sign-in, no network, another path. */
import { linkProfile, newProfile } from '../support/records.js';
import { arrive, grace, openBrowser, settled, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

const gridMonitor = 'de330000-0000-4000-8000-000000000001';

it('an error is a sentence with its trace id, and Try again tries again', async () => {
  const { page, go } = await grace();
  const extensions = { code: 'INTERNAL_SERVER_ERROR', traceId: '0af7651916cd43dd8448eb211c80319c' };
  await page.route('**/console/graphql', async (route) => {
    if (!route.request().postData()?.includes('UserRows')) return route.continue();
    return route.fulfill({ status: 500, json: { errors: [{ message: 'Internal server error', extensions }] } });
  });
  await page.goto(page.url().replace('/applications', '/users'));
  await page.getByText(extensions.traceId).waitFor();
  await page.unroute('**/console/graphql');

  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Bruno Costa').waitFor();
  await go('/users');
});

it('a history that could not be read is not said to be empty', async () => {
  const { page, go } = await grace();
  await go('/history?actor=nobody');
  await page.getByRole('button', { name: 'Try again' }).waitFor();

  await page.getByText('Not available at the moment').waitFor();
  expect(await page.locator('#main').innerText()).not.toContain('0 changes');
});

it('while something is read there is a skeleton, never an empty page that looks final', async () => {
  const { page, app } = await grace();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/console/graphql', async (route) => {
    if (route.request().postData()?.includes('ApplicationPage')) await asked;
    await route.continue();
  });
  await page.goto(`${app.url}/console/applications/${gridMonitor}`);
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  answer();
  await page.getByRole('heading', { level: 1, name: /Grid monitor/ }).waitFor();
});

it('offline, what is done is kept and saving waits; back online it goes on', async () => {
  const { page, context } = await grace('/matrix?type=site');
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  await page.keyboard.press('Control+Enter');
  const apply = page.getByRole('button', { name: 'Apply 1 change' });
  await page.getByText(/(person gains|people gain) access/).waitFor();
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  expect(await apply.isEnabled()).toBe(false);

  await context.setOffline(false);
  await apply.click();
  await page.getByText('1 change applied').waitFor();
});

it('offline, a page that was not read yet and a list to choose from say so, and are there once the network is back', async () => {
  const { page, context } = await grace('/why');
  await context.setOffline(true);
  const person = page.getByRole('combobox', { name: 'Person' });
  await person.fill('Ada');
  await page.getByRole('listbox', { name: 'Person' }).getByText('Gatehouse can’t be reached').waitFor();
  await page.getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('heading', { name: 'Gatehouse can’t be reached' }).waitFor();
  expect(await page.getByRole('link', { name: 'Users', exact: true }).isVisible()).toBe(true);

  await context.setOffline(false);
  await page.getByText('4 roles').waitFor();
});

it('offline, the review opens from the code that came with the first draft', async () => {
  const { page, context } = await grace('/matrix?type=site');
  const code = page.waitForResponse(/assets\/Review-/);
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  await (await code).finished();
  await context.setOffline(true);
  await page.keyboard.press('Control+Enter');

  const sheet = page.getByRole('dialog', { name: 'Review 1 change' });
  await sheet.getByRole('heading', { name: 'Gatehouse can’t be reached' }).waitFor();
  await context.setOffline(false);
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
});

it('a review whose code could not be loaded says so in its sheet, the console goes on, and Try again opens it', async () => {
  const { page } = await grace('/matrix?type=site');
  await page.route(/assets\/Review-/, (route) => route.abort());
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog', { name: 'Review' });
  const again = sheet.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('1 pending change').waitFor();

  await page.keyboard.press('Control+Enter');
  await page.unroute(/assets\/Review-/);
  await again.click();
  await page
    .getByRole('dialog', { name: 'Review 1 change' })
    .getByText(/(person gains|people gain) access/)
    .waitFor();
});

it('while the service is away, a page that was not loaded says so inside the console, and Try again opens it', async () => {
  const { page } = await grace('/applications');
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profiles' }).click();
  await page.getByRole('heading', { name: 'Gatehouse can’t be reached' }).first().waitFor();
  await page.unroute('**/*');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();
});

it('the system’s colours are followed as they change, until light or dark is chosen', async () => {
  const { page } = await grace();
  const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ground()).not.toBe(light);
  await page.getByRole('button', { name: 'Light colours' }).click();
  expect(await ground()).toBe(light);

  await page.getByRole('button', { name: /Grace Hall/ }).click();
  await page.getByRole('button', { name: 'System' }).click();
  expect(await ground()).not.toBe(light);
});

it('a link that would run in a portal is refused in its field, and the draft can not be applied', async () => {
  const { page } = await grace(`/applications/${gridMonitor}?tab=settings`);
  const link = page.getByRole('textbox', { name: /^Link/ });
  for (const refused of ['javascript:alert(1)', 'data:text/html,x', 'http://plain.example']) {
    await link.fill(refused);
    await page.getByText('A link begins with https://').waitFor();
    expect(await page.getByRole('button', { name: /^Review \(link is not valid\)/ }).isEnabled()).toBe(false);
  }
  for (const taken of ['https://grid.example/', '/grid', 'msteams://chat/1', 'tel:112']) {
    await link.fill(taken);
    await page.getByText('A link begins with https://').waitFor({ state: 'detached' });
  }
});

it('an address of no page leads on', async () => {
  const { page } = await grace('/nowhere');
  await page.getByRole('button', { name: 'Find something else' }).click();
  await page.getByRole('dialog', { name: 'Find anything' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'All applications' }).click();
  await page.getByText('8 applications').waitFor();
});

/** Clara, with just these permissions. */
async function clara(permissions: readonly string[]) {
  const app = await startConsole();
  const { sql } = app.context;
  const profileId = await newProfile(app.context, 'readers');
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select $1, access_scope_id, '00000000-0000-0000-0000-000000000001'
     from access_scopes join access_scope_types t using (access_scope_type_id)
     where t.name = 'admin' and access_scope_key = any($2::text[])`,
    [profileId, permissions],
  );
  const [person] = await sql.rows<{ id: number }>("select user_id as id from users where first_name = 'Clara'");
  await linkProfile(app.context, person!.id, profileId, 'analyst');
  const at = await visit(app);
  await arrive(app, at, 'Clara Dietrich');
  return at;
}

it('a viewer who may only read sees everything that can be read, and no way to change it', async () => {
  const { page, go } = await clara(['read']);

  await page.getByText('8 applications').waitFor();
  expect(await page.getByRole('link', { name: 'New application' }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Clients' }).count()).toBe(0);
  for (const kind of ['applications', 'profiles', 'scopes', 'types', 'roles']) {
    await go(`/${kind}/new`);
    await page.getByText('admin:write').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  }
  await go('/matrix?type=site');
  expect(await page.getByRole('columnheader').getByRole('button').first().isEnabled()).toBe(false);
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  expect(await page.getByText('pending').count()).toBe(0);
  await go('/translations');
  expect(await page.getByRole('textbox', { name: 'Another language' }).count()).toBe(0);
  for (const path of ['/history', '/usage']) {
    await go(path);
    await page.getByText('admin:security').waitFor();
  }
  await go('/applications/de330000-0000-4000-8000-000000000001?tab=settings');
  await page.getByRole('region', { name: 'Settings' }).getByText('https://grid.example.com').waitFor();
  expect((await page.getByRole('textbox').count()) + (await page.getByRole('switch').count())).toBe(0);
  await go('/reviews/no-guid');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});

it('pages that need admin:security offer nothing to who may only write', async () => {
  const { page, go } = await clara(['read', 'write']);
  await page.getByRole('link', { name: 'New application' }).waitFor();
  for (const path of ['/history', '/usage', '/clients', '/clients/portal', '/keys']) {
    await go(path);
    await page.getByText('admin:security').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  }
});

it('the console opens without a sign-in where ADMIN_AUTH=none', async () => {
  const app = await startConsole({ ADMIN_AUTH: 'none' });
  const { page, go, faults } = await visit(app);
  await go('/applications');

  await page.getByText('8 applications').waitFor();
  expect(faults).toEqual([]);
});

it('an application has its icon where this origin serves it, and initials elsewhere: nobody else is asked', async () => {
  const { app, page, faults } = await grace();
  const asked: string[] = [];
  await page.route(/\.(svg|png)$/, (route) => {
    const url = route.request().url();
    asked.push(url);
    return url.endsWith('/icons/grid.svg')
      ? route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
        })
      : route.fulfill({ status: 404 });
  });
  const icons = {
    'Grid monitor': `${app.url}/icons/grid.svg`,
    'Outage map': 'https://elsewhere.example/map.svg',
    'Work orders': `${app.url}/icons/gone.svg`,
  };
  for (const [name, icon] of Object.entries(icons))
    await app.context.sql.rows('update applications set icon_default = $1 where name = $2', [icon, name]);
  await page.reload();
  await settled(page);

  const imagesOf = (name: string) => page.getByRole('row', { name }).locator('.tile img');
  await imagesOf('Grid monitor').waitFor();
  await imagesOf('Work orders').waitFor({ state: 'detached' });
  expect(await page.locator('.tile img').count()).toBe(1);
  const ofIcons = asked.filter((url) => !url.endsWith('favicon.svg'));
  expect(ofIcons.sort()).toEqual([`${app.url}/icons/gone.svg`, `${app.url}/icons/grid.svg`]);
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
});

it('the same build of the console works below another path: pages, assets, requests and sign-in', async () => {
  const app = await startConsole({ BASE_PATH: '/gate' });
  const { page, faults } = await visit(app);
  await page.goto(`${app.url}/gate/console/users`);
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await page.waitForURL(/\/gate\/console\/users/);
  await page.getByText('Bruno Costa').waitFor();
  await page.getByRole('link', { name: 'Matrix' }).click();
  await page.waitForURL(/\/gate\/console\/matrix/);
  await page.getByRole('grid').waitFor();

  expect(faults).toEqual([]);
});
