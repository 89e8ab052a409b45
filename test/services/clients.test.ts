/** Client applications as the operator and the administration change them. */

import { openApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import type { Context } from '../../src/context.js';
import { createClient, rotateClientSecret, setClientActive } from '../../src/services/people/clients.js';
import { requireClient } from '../../src/services/tokens/client.js';
import { TokenRefusal } from '../../src/services/tokens/tokenRefusal.js';
import { createDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';

let context: Context;

beforeAll(async () => {
  const database = await createDatabase();
  const environment = {
    DATABASE_URL: database.url,
    BCRYPT_COST: '4',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'silent',
  };
  const app = await openApp({ config: loadConfig(environment), notice: () => {} });
  closeAtEnd(() => app.close());
  context = app.commandContext();
});

const accepts = async (clientId: string, clientSecret: string): Promise<boolean> =>
  requireClient(context, { clientId, clientSecret }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof TokenRefusal) return false;
      throw error;
    },
  );
const problemsOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => error.more?.problems ?? error.message,
  );

it('the secret that a new client is told works, and is stored as a hash only', async () => {
  const { client, clientSecret } = await createClient(context, { clientId: 'portal', name: 'Portal' });
  expect(client).toMatchObject({ clientId: 'portal', name: 'Portal', description: null, isActive: true, revision: 1 });
  expect(client.createdAt).toBeInstanceOf(Date);
  expect(await accepts('portal', clientSecret)).toBe(true);
  const [row] = await context.sql.rows<object>("select * from clients where client_id = 'portal'");
  expect(JSON.stringify(row)).not.toContain(clientSecret);
  await expect(createClient(context, { clientId: 'portal', name: 'Another' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

it('a rotated secret stops at once, or after the hours that it was given', async () => {
  const first = await createClient(context, { clientId: 'shop', name: 'Shop' });
  const second = await rotateClientSecret(context, 'shop', 2);
  expect([await accepts('shop', first.clientSecret), await accepts('shop', second.clientSecret)]).toEqual([true, true]);
  const hours = (second.client.previousSecretEndsAt!.getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(1.99);
  expect(hours).toBeLessThanOrEqual(2);
  await context.sql.rows(
    "update clients set previous_secret_ends_at = now() - interval '1 second' where client_id = 'shop'",
  );
  expect(await accepts('shop', first.clientSecret)).toBe(false);
  const third = await rotateClientSecret(context, 'shop');
  expect(third.client.previousSecret).toBeNull();
  expect([await accepts('shop', second.clientSecret), await accepts('shop', third.clientSecret)]).toEqual([
    false,
    true,
  ]);
});

it('a deactivated client is refused until it is activated again, and saying it twice changes nothing', async () => {
  const { clientSecret } = await createClient(context, { clientId: 'kiosk', name: 'Kiosk' });
  const { revision } = await setClientActive(context, 'kiosk', false);
  expect(await accepts('kiosk', clientSecret)).toBe(false);
  expect((await setClientActive(context, 'kiosk', false)).revision).toBe(revision);
  await setClientActive(context, 'kiosk', true);
  expect(await accepts('kiosk', clientSecret)).toBe(true);
});

it('each change is in the audit log, by names of fields alone', async () => {
  const { clientSecret } = await createClient(context, { clientId: 'audited', name: 'Audited' });
  await rotateClientSecret(context, 'audited', 1);
  const events = await context.sql.rows<{ action: string; detail: object }>(
    "select action, detail, actor from audit_events where subject_type = 'Client' and subject_id = 'audited' order by 1",
  );
  expect(events.map(({ action }) => action)).toEqual(['create', 'update']);
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${clientSecret}|\\$2b`));
});

it('all faults of an input are told at once', async () => {
  expect(await problemsOf(createClient(context, { clientId: '', name: 'x'.repeat(256), description: 'a\0' }))).toEqual({
    clientId: [expect.stringContaining('must not be empty')],
    name: [expect.stringContaining('at most 255 characters')],
    description: [expect.stringContaining('NUL')],
  });
  await createClient(context, { clientId: '🦉'.repeat(100), name: '🦉'.repeat(255) });
  expect(await problemsOf(rotateClientSecret(context, 'portal', -1))).toHaveProperty('keepPreviousHours');
  await expect(rotateClientSecret(context, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(setClientActive(context, 'no\0body', false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('only who has admin:security may', async () => {
  const caller = {
    kind: 'user' as const,
    sub: '00000000-0000-4000-8000-000000000009',
    profileId: 'p',
    roleId: 'r',
    permissions: new Set(['admin:read', 'admin:write'] as const),
  };
  const allowed = { ...context, caller };
  for (const work of [
    createClient(allowed, { clientId: 'theirs', name: 'Theirs' }),
    rotateClientSecret(allowed, 'portal'),
    setClientActive(allowed, 'portal', false),
  ])
    await expect(work).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
