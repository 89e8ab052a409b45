/** The console's screens, and states of them that are worth a look of their own. */
import type { Page } from 'playwright-core';
import { openUsageRecorder, others } from '../../../src/modules/insight/usage.js';
import type { TestApp } from '../../support/app.js';
import { settled } from './browser.js';

interface Screen {
  name: string;
  /** Below /console. */
  path: string;
  /** What is done there before it is looked at. */
  act?: (page: Page) => Promise<unknown>;
  /** What is done there cannot be done any more: answered 409, which the page shows and the browser reports as a fault. */
  meetsConflict?: boolean;
}

type Row = [name: string, path: string, act?: Screen['act'], meetsConflict?: boolean];

const gridMonitor = 'de330000-0000-4000-8000-000000000001';
const grace = 'de300000-0000-4000-8000-000000000006';
const bruno = 'de300000-0000-4000-8000-000000000002';
const assetRegister = 'de330000-0000-4000-8000-000000000005';

const review = async (page: Page) => {
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  await page.getByRole('gridcell', { name: /Grid monitor, Northern station/ }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByText(/(person gains|people gain) access/).waitFor();
};

/** One of the latest changes: the newest is 0. */
async function takeBack(page: Page, place: number): Promise<void> {
  await page.getByRole('button', { name: 'Undo: Role Analyst changed' }).nth(place).click();
  await page.getByRole('dialog').locator('.skeleton').waitFor({ state: 'detached' });
}

const rows: Row[] = [
  ['applications', '/applications'],
  [
    'applications, two selected',
    '/applications',
    async (page) => {
      await page.getByRole('grid').focus();
      for (const key of ['x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByText('2 applications').first().waitFor();
    },
  ],
  ['applications, none found', '/applications?q=nothing%20is%20called%20so'],
  ['an application', `/applications/${gridMonitor}`],
  ['an application’s settings', `/applications/${gridMonitor}?tab=settings`],
  ['an application’s texts', `/applications/${gridMonitor}?tab=texts`],
  ['an application’s history', `/applications/${gridMonitor}?tab=history`],
  ['a new application', '/applications/new'],
  ['matrix', '/matrix?type=site'],
  ['matrix, reviewed', '/matrix?type=site', review],
  ['matrix, planning', '/matrix?type=site&as=planned'],
  ['overview', '/overview'],
  ['inbox', '/inbox'],
  ['access reviews', '/reviews'],
  [
    'start of an access review',
    '/reviews',
    async (page) => {
      await page.getByRole('button', { name: 'Start a review…' }).click();
      await page.getByLabel('Name').waitFor();
    },
  ],
  [
    'start of an access review of a part',
    '/reviews',
    async (page) => {
      await page.getByRole('button', { name: 'Start a review…' }).click();
      await page.getByRole('combobox', { name: 'Only profiles', exact: true }).fill('reporting');
      await page.getByRole('option', { name: /Reporting/ }).click();
      await page.getByText(/will be reviewed/).waitFor();
    },
  ],
  [
    'an access review, with a grant beside',
    '/reviews',
    async (page) => {
      await page.getByRole('button', { name: 'Start a review…' }).click();
      await page.getByLabel('Name').fill('Spring');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      const grid = page.getByRole('grid', { name: 'Spring' });
      await grid.waitFor();
      // a key on a list that is still read does nothing
      await settled(page);
      await grid.press('Enter');
      await page.getByText('At the start of the review').waitFor();
    },
  ],
  ['why, before it is asked', '/why'],
  ['why', `/why?user=${bruno}&application=${assetRegister}`],
  ['why, open', `/why?user=de300000-0000-4000-8000-000000000001&application=${gridMonitor}`],
  ['users', '/users'],
  ['a new person', '/users/new'],
  ['users, filtered', '/users?profile=grid-operator&seen=90'],
  [
    'a profile for many people',
    '/users',
    async (page) => {
      await page.getByRole('checkbox', { name: /^Select Bruno/ }).click();
      await page.getByRole('button', { name: /^Give a profile/ }).click();
      await page.getByRole('option', { name: /Reporting/ }).click();
      await page.getByText('1 person').first().waitFor();
    },
  ],
  ['a user', `/users/${bruno}`],
  ['a user’s sessions', `/users/${bruno}?tab=sessions`],
  ['about a user', `/users/${bruno}?tab=facts`],
  ['profiles', '/profiles'],
  ['a profile', '/profiles/grid-operator'],
  ['who holds a profile', '/profiles/grid-operator?tab=holders'],
  [
    'people who are added to a profile',
    '/profiles/grid-operator',
    async (page) => {
      await page.getByRole('button', { name: 'Add people…' }).click();
      await page.getByRole('textbox', { name: /^E-mail/ }).fill('bruno@example.com\nnobody@example.com');
      await page.getByText('not known').waitFor();
    },
  ],
  ['a copy of a profile', '/profiles/grid-operator', (page) => page.getByRole('button', { name: 'Copy…' }).click()],
  ['two profiles, compared', '/compare/profiles?left=grid-operator&right=reporting'],
  ['a profile to compare', '/compare/profiles?left=grid-operator'],
  ['two users, compared', `/compare/users?left=${bruno}&right=${grace}`],
  ['access scopes', '/scopes'],
  ['an access scope', '/scopes/de320000-0000-4000-8000-000000000003'],
  ['an access scope’s history', '/scopes/de320000-0000-4000-8000-000000000003?tab=history'],
  ['an access scope’s texts', '/scopes/de320000-0000-4000-8000-000000000003?tab=texts'],
  ['types', '/types'],
  ['a type', '/types/de310000-0000-4000-8000-000000000001'],
  ['what ends', '/ending'],
  ['roles', '/roles'],
  ['a role', '/roles/operator'],
  ['clients', '/clients'],
  ['a client', '/clients/demo-client'],
  ['a new secret', '/clients/demo-client', (page) => page.getByRole('button', { name: 'New secret…' }).click()],
  ['connectors', '/connectors'],
  ['connectors, none found', '/connectors?q=nowhere'],
  ['events, none', '/events'],
  ['usage', '/usage'],
  ['usage in brown-outs, of a client', '/usage?view=brownouts&client=demo-client'],
  ['usage, none found', '/usage?q=/nowhere'],
  ['keys', '/keys'],
  [
    'history',
    '/history',
    (page) =>
      page
        .getByRole('button', { expanded: false })
        .filter({ hasText: /created|imported/ })
        .first()
        .click(),
  ],
  ['translations', '/translations'],
  ['translations of access scopes', '/translations?of=scopes'],
  [
    'search',
    '/applications',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('grid');
      await page.getByRole('option', { name: /Grid monitor/ }).waitFor();
    },
  ],
  ['a new access scope', '/scopes/new'],
  ['a new client', '/clients', (page) => page.getByRole('button', { name: 'New client' }).click()],
  [
    'giving access',
    `/applications/${gridMonitor}`,
    async (page) => {
      await page.getByRole('button', { name: 'Give access' }).click();
      await page.getByRole('combobox', { name: 'Access scope' }).press('ArrowDown');
      await page.getByRole('option', { name: /Harbour station/ }).waitFor();
    },
  ],
  [
    'giving a profile',
    `/users/${bruno}`,
    async (page) => {
      await page.getByRole('button', { name: 'Give a profile' }).click();
      await page.getByRole('combobox', { name: 'Profile' }).press('ArrowDown');
      await page.getByRole('option', { name: /Reporting/ }).click();
      await page.locator('.would-give').waitFor();
    },
  ],
  ['who is here', '/applications', (page) => page.getByRole('button', { name: /Grace Hall/ }).click()],
  ['keys, asked whether to rotate', '/keys', (page) => page.getByRole('button', { name: 'Rotate…' }).click()],
  ['a change to be taken back', '/history', (page) => takeBack(page, 0)],
  ['a change that another one was made after, to be taken back', '/history', (page) => takeBack(page, 1), true],
  ['help', '/help/finding'],
  ['no access', '/no-access?trace=0123456789abcdef0123456789abcdef'],
  ['a page that is not there', '/nowhere'],
];

/** Requests that the screens of usage tell of. */
export async function recordUsage({ context }: TestApp): Promise<void> {
  const { sql, log } = context;
  const usage = openUsageRecorder({ sql, log, clock: { now: () => new Date() }, retentionDays: 9 });
  const portal = { clientId: 'demo-client', caller: '', mediaType: 'application/json', product: 'Portal/4.2' };
  usage.note({ ...portal, operation: 'POST /token', option: 'exchange' }, false);
  usage.note({ ...portal, operation: 'POST /introspect', option: '' }, true);
  const list = { operation: 'GET /api/applications', option: '$filter', mediaType: '', product: 'curl/8.0' };
  usage.note({ ...list, clientId: '', caller: grace }, false);
  usage.note({ ...list, clientId: '', caller: '' }, false);
  usage.note({ ...list, clientId: '', caller: '', operation: others, option: '', product: '' }, false);
  await usage.close();
}

export const screens: Screen[] = rows.map(([name, path, act, meetsConflict = false]) => ({
  name,
  path,
  ...(act && { act }),
  meetsConflict,
}));
