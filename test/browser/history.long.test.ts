/** The history in sentences: what was given to whom, as what and until when; and many alike as one line with their number. */

import { applyChanges } from '../../src/modules/changes/applyChanges.js';
import { planChanges } from '../../src/modules/changes/planChanges.js';
import { createEventStream } from '../../src/modules/events/streams.js';
import { createConnector } from '../../src/modules/scim/connectors.js';
import { grace, openBrowser, settled } from './support/browser.js';

const harbour = 'de320000-0000-4000-8000-000000000003';
const bruno = 'de300000-0000-4000-8000-000000000002';
const busy = 'de360000-0000-4000-8000-000000000001';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace('/roles');
});

const change = async (changes: readonly object[], note: string) => {
  const { context } = at.app;
  await applyChanges({ ...context, face: 'graphql' }, planChanges(changes), { note, dryRun: false });
};

it('a grant is a sentence with the person, the role and the end', async () => {
  const grant = { userGuid: bruno, profileId: 'reporting', roleId: 'analyst', validUntil: '2031-12-01T12:00:00.000Z' };
  await change([{ assignProfile: grant }], 'Until the audit');
  const { page, go } = at;
  await go('/history?q=audit');
  await page.getByRole('button', { expanded: false }).filter({ hasText: /Bruno/ }).click();
  await page.getByText(/^Reporting given to Bruno Costa, bruno@example.com as Analyst until 1 Dec 2031/).waitFor();
});

it('a record is named in the detail of a change, one that was removed too', async () => {
  const { context } = at.app;
  await createEventStream(context, {
    name: 'tickets of the north',
    kind: 'webhook',
    address: 'https://tickets.example/',
  });
  await change([{ createRole: { input: { roleId: 'watch-7', name: 'Night watch' } } }], 'It watches');
  await change([{ deleteRole: { roleId: 'watch-7' } }], 'No longer needed');
  const { page, go } = at;
  for (const [search, name] of [
    ['?kind=EventStream', 'tickets of the north created'],
    ['?q=needed', 'Night watch removed'],
  ] as const) {
    await go(`/history${search}`);
    await page.locator('.entry').first().getByRole('button', { expanded: false }).click();
    await page.locator('.change-lines').getByText(name).waitFor();
  }
});

it('an undo is offered only where there is a history to go back to, and says what refuses it', async () => {
  const { context } = at.app;
  await createConnector(context, { connectorId: 'entra', idpname: 'entra', roleId: 'operator' });
  await change([{ updateRole: { roleId: 'analyst', input: { description: 'Reads' } } }], 'First words');
  await change([{ updateRole: { roleId: 'analyst', input: { description: 'Reads reports' } } }], 'Second words');
  const { page, go } = at;
  await go('/history');
  await page.getByText('Connector entra created').waitFor();
  expect(await page.getByRole('button', { name: 'Undo: Connector entra created' }).count()).toBe(0);
  await go('/history?q=first+words');
  await page.getByRole('button', { name: /^Undo: Role Analyst/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Role analyst was changed since.').waitFor();
  await sheet.getByRole('button', { name: 'Back' }).click();
  at.faults.splice(0);
});

it('changes that differ only in the application are one line, with their number and their names', async () => {
  const { sql } = at.app.context;
  const made = await sql.rows<{ guid: string }>(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select 'Pump ' || n, 'a', 'b', 'web', 'tab', 'external', $1::uuid from generate_series(1, 383) n
     returning application_guid::text as guid`,
    [bruno],
  );
  await change(
    made.map(({ guid: applicationGuid }) => ({ mapping: { applicationGuid, accessScopeGuid: harbour, to: 'active' } })),
    'Pumps of the harbour',
  );
  const { page, go } = at;
  await go('/history?q=pumps');
  await page.getByRole('button', { expanded: false }).filter({ hasText: /383/ }).click();
  await page.getByText('Harbour station opens 383 applications', { exact: true }).waitFor();
  expect(await page.locator('.change-lines > li').count()).toBe(1);
  await page.getByRole('button', { name: /^Which/ }).click();
  await page.getByText(/Pump 1, .*Pump 383|Pump 383/).waitFor();
});

it('the lines of a larger change are of the part that was read, and say how many there are', async () => {
  const { sql } = at.app.context;
  await sql.rows(
    `insert into change_sets (change_set_guid, actor, face, note) values ($1, $2::uuid, 'console', 'Busy')`,
    [busy, bruno],
  );
  await sql.rows(
    `insert into audit_events (change_set_id, actor, action, subject_type, subject_id)
     select change_set_id, actor, 'update', 'Profile', 'yard-' || n from change_sets, generate_series(1, 900) n
     where change_set_guid = $1::uuid`,
    [busy],
  );
  const { page, go } = at;
  await go(`/history?change=${busy}`);
  await page.getByRole('button', { name: /^900 profiles changed$/ }).click();
  for (const shown of ['400', '800']) {
    await page.getByText(`Shown: ${shown} of 900`).waitFor();
    await page.getByText(`At least ${shown} profiles changed`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  await page.locator('.change-lines').getByText('900 profiles changed', { exact: true }).waitFor();
});

it('changes of a profile’s access scopes, of texts, of sessions and tests of event streams are found by kind and action', async () => {
  const { sql } = at.app.context;
  const recorded = [
    ['ProfileAccessScope', 'create'],
    ['Translation', 'update'],
    ['Token', 'revoke'],
    ['EventStream', 'test'],
    ['EventStream', 'replay'],
  ] as const;
  for (const [kind, action] of recorded) {
    const note = `Only ${kind} ${action}`;
    await sql.rows(
      `with made as (insert into change_sets (change_set_guid, actor, face, note)
         values (gen_random_uuid(), $1::uuid, 'graphql', $2) returning change_set_id)
       insert into audit_events (change_set_id, actor, action, subject_type, subject_id)
       select change_set_id, $1::uuid, $3, $4, '1' from made`,
      [bruno, note, action, kind],
    );
  }
  const { page, go } = at;
  for (const [kind, action] of recorded) {
    await go('/history');
    await page.getByLabel('Kind of record').selectOption(kind);
    await page.getByLabel('What was done').selectOption(action);
    const notes = page.locator('.entry blockquote').filter({ hasText: /^Only / });
    await notes.filter({ hasText: `Only ${kind} ${action}` }).waitFor();
    await settled(page);
    expect(await notes.count()).toBe(1);
  }
});

it('a change by SQL says what it did as any other does, opened and where it is undone', async () => {
  const { sql } = at.app.context;
  await sql.rows("update roles set name = 'Night operator', description = 'By night' where role_id = 'operator'");
  await sql.rows(
    `update access_scope_applications_mappers m set state = 'inactive' from applications a
     where a.application_id = m.application_id and a.name like 'Pump %'`,
  );
  const { page, go } = at;
  await go('/history');
  const entry = (text: string) => page.locator('.entry').filter({ hasText: text });
  const role = entry('Role Night operator changed');
  const mappings = entry('Harbour station changed for 383 applications');
  await mappings.waitFor();
  await page.getByLabel('Kind of record').selectOption('Role');
  await mappings.waitFor({ state: 'detached' });
  await role.waitFor();
  await go('/history');
  await role.getByText('by SQL, past the service').waitFor();
  await role.getByRole('button', { expanded: false }).click();
  await role.locator('.change-lines').getByText('Night operator changed').waitFor();
  await role.locator('.change-lines').getByText('By night').waitFor();
  await mappings.getByRole('button', { expanded: false }).click();
  await mappings.locator('.change-lines').getByText('Harbour station, 383 applications: inactive').first().waitFor();
  await role.getByRole('button', { name: 'Undo: Role Night operator changed' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('role changed back').waitFor();
  await sheet.getByText('Night operator').first().waitFor();
});
