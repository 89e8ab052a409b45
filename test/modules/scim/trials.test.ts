/** SCIM when things go wrong: broken synchronisations, requests at once, a file beside it, a database that is away, limits. */
import { applyFile, planFile } from '../../../src/modules/catalogueFile/applyFile.js';
import { applyChanges, undoChangeSet } from '../../../src/modules/changes/applyChanges.js';
import { planChanges } from '../../../src/modules/changes/planChanges.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { updateUser } from '../../../src/services/people/users.js';
import { startProxy } from '../../operations/proxy.js';
import { type Answer, startTestApp, type TestApp } from '../../support/app.js';
import { createMigratedDatabase } from '../../support/cluster.js';
import { newConnector, newGroup, type Scim, scimOf } from '../../support/connectors.js';
import { newRole } from '../../support/records.js';
import { untilBlocked } from '../../support/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});

const patch = (...Operations: object[]) => ({ Operations });
const people = [
  { userName: 'ada', externalId: 'id-ada', active: true, title: 'Analyst' },
  { userName: 'bob', externalId: 'id-bob', active: false },
];

/** As identity providers do: look for each object, create or change it, then the members of the groups. */
async function synchronise(scim: Scim, groups: Record<string, string[]>): Promise<void> {
  const idOf = new Map<string, string>();
  const done = (answer: Answer): Answer => {
    expect(answer.status).toBeLessThan(300);
    return answer;
  };
  for (const { userName, ...values } of people) {
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    const [found] = done(await scim('GET', `/Users?filter=${filter}`)).json.Resources;
    const id: string =
      found?.id ?? done(await scim('POST', '/Users', { userName, externalId: values.externalId })).json.id;
    done(await scim('PATCH', `/Users/${id}`, patch({ op: 'Replace', value: values })));
    idOf.set(userName, id);
  }
  for (const [name, members] of Object.entries(groups)) {
    const filter = encodeURIComponent(`displayName eq "${name}"`);
    const [group] = done(await scim('GET', `/Groups?excludedAttributes=members&filter=${filter}`)).json.Resources;
    for (const member of members)
      done(
        await scim(
          'PATCH',
          `/Groups/${group.id}`,
          patch({ op: 'Add', path: 'members', value: [{ value: idOf.get(member) }] }),
        ),
      );
  }
}

class Lost extends Error {}

/** The connection breaks at one request: before it arrives, or before its answer does. */
function breakingAt(scim: Scim, request: number, isDone: boolean): Scim {
  let count = 0;
  return async (...asked) => {
    if (count++ !== request) return scim(...asked);
    if (isDone) await scim(...asked);
    throw new Lost();
  };
}

it('a synchronisation that breaks at any request and begins again ends as one that did not', async () => {
  let requests = 0;
  const stateAfter = async (name: string, request: number | undefined, isDone: boolean) => {
    const { scim } = await newConnector(app.context, app.url, name);
    const readers = `${name}-readers`;
    const groups = { [readers]: ['ada', 'bob'] };
    await newGroup(app.context, readers, readers);
    if (request === undefined) {
      const counting: Scim = (...asked) => {
        requests += 1;
        return scim(...asked);
      };
      await synchronise(counting, groups);
    } else {
      await expect(synchronise(breakingAt(scim, request, isDone), groups)).rejects.toThrow(Lost);
      await synchronise(scim, groups);
    }
    const { json } = await scim('GET', '/Users?attributes=userName,externalId,active,title');
    const users = json.Resources.map(({ id: _id, meta: _meta, ...user }: Record<string, unknown>) => user);
    const nameOf = new Map(json.Resources.map((user: { id: string; userName: string }) => [user.id, user.userName]));
    const { members: values } = (await scim('GET', `/Groups/${readers}`)).json;
    const members = values.map(({ value }: { value: string }) => nameOf.get(value));
    return { users, members };
  };
  const whole = await stateAfter('whole', undefined, false);
  expect(whole).toMatchObject({ users: [{ title: 'Analyst' }, { active: false }], members: ['ada', 'bob'] });
  for (let request = 0; request < requests; request++)
    for (const isDone of [false, true])
      expect(await stateAfter(`cut-${request}-${isDone}`, request, isDone)).toEqual(whole);
});

it('the same user created many times at once exists once, and the other requests are conflicts', async () => {
  const { scim } = await newConnector(app.context, app.url, 'at-once');
  const create = (body: object) => Promise.all(Array.from({ length: 6 }, () => scim('POST', '/Users', body)));
  const answers = await create({ userName: 'one', externalId: 'one' });
  const names = await Promise.all(
    Array.from({ length: 6 }, (_, n) => scim('POST', '/Users', { userName: 'Two', externalId: `two-${n}` })),
  );
  for (const each of [answers, names]) {
    expect(each.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    for (const { status, json } of each) if (status === 409) expect(json.scimType).toBe('uniqueness');
  }
});

it('members that are added and removed at once are all there, or gone', async () => {
  const { scim } = await newConnector(app.context, app.url, 'members-at-once');
  const profileId = await newGroup(app.context, 'At once', 'at-once');
  const ids: string[] = [];
  for (let n = 0; n < 8; n++)
    ids.push((await scim('POST', '/Users', { userName: `m${n}`, externalId: `m${n}` })).json.id);
  const all = (op: string) =>
    Promise.all(
      ids.map((value) => scim('PATCH', `/Groups/${profileId}`, patch({ op, path: 'members', value: [{ value }] }))),
    );
  for (const { status } of await all('add')) expect(status).toBe(204);
  expect((await scim('GET', `/Groups/${profileId}`)).json.members).toHaveLength(8);
  for (const { status } of await all('remove')) expect(status).toBe(204);
  expect((await scim('GET', `/Groups/${profileId}`)).json.members).toEqual([]);
});

it('a user who is deleted while somebody adds the user to a group is no member afterwards', async () => {
  const { scim } = await newConnector(app.context, app.url, 'deleted-meanwhile');
  const profileId = await newGroup(app.context, 'Meanwhile', 'meanwhile');
  const { id } = (await scim('POST', '/Users', { userName: 'm', externalId: 'm' })).json;
  let added: Promise<Answer> | undefined;
  await app.context.sql.transaction(async ({ rows }) => {
    // as a deletion does, whose end the other request has to wait for
    await rows('select from users where user_guid = $1 for update', [id]);
    added = scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: [{ value: id }] }));
    await untilBlocked(app.context.sql);
    await rows('update users set is_blocked = true, deprovisioned_at = now() where user_guid = $1', [id]);
  });
  expect((await added!).json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  const links = await app.context.sql.rows('select from user_profiles where profile_id = $1', [profileId]);
  expect(links).toEqual([]);
});

describe('a change of a group that has somebody as its member', () => {
  /** What `other` does while the change has the group and not yet the person; both are to be done. */
  async function beside(
    name: string,
    other: (person: string, profileId: string, scim: Scim) => Promise<() => Promise<unknown>>,
  ) {
    const { scim } = await newConnector(app.context, app.url, name);
    const profileId = await newGroup(app.context, name, name);
    const create = async (userName: string) =>
      (await scim('POST', '/Users', { userName, externalId: userName })).json.id as string;
    const [first, person] = [await create('first'), await create('person')];
    const add = (...ids: string[]) => {
      const value = ids.map((each) => ({ value: each }));
      return scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value }));
    };
    await add(person);
    const act = await other(person, profileId, scim);
    const asked: Promise<unknown>[] = [];
    await app.context.sql.transaction(async ({ rows }) => {
      await rows('select from users where user_guid = $1 for update', [first]);
      asked.push(add(person, first));
      await untilBlocked(app.context.sql);
      asked.push(act());
      await untilBlocked(app.context.sql, 2);
    });
    expect(await asked[0]).toMatchObject({ status: 204 });
    await asked[1];
    return (await scim('GET', `/Groups/${profileId}`)).json.members.length;
  }

  it('is done, and then the deletion of that person', async () => {
    const count = await beside('deleted-beside', async (id, _profileId, scim) => async () => {
      expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    });
    expect(count).toBe(1);
  });

  it('is done, and then an import of that person and of a link of the group', async () => {
    await newRole(app.context, 'guest');
    const users = (userGuid: string) => [{ userGuid, isBlocked: true }];
    const count = await beside('imported-beside', async (userGuid, profileId) => async () => {
      const userProfiles = [{ userGuid, profileId, roleId: 'guest' }];
      expect(await importFile(app.context, { users: users(userGuid), userProfiles })).toMatchObject({ created: 1 });
    });
    expect(count).toBe(2);
  });

  it('is done, and then a change set that concerns that person first', async () => {
    await newRole(app.context, 'guest');
    const count = await beside('applied-beside', async (userGuid, profileId) => () => {
      const changes = [
        { updateUser: { userGuid, input: { isBlocked: true } } },
        { assignProfile: { userGuid, profileId, roleId: 'guest' } },
      ];
      return applyChanges(app.context, planChanges(changes), {});
    });
    expect(count).toBe(2);
  });

  it('is done, and then an undo that concerns that person and the group', async () => {
    await newRole(app.context, 'guest');
    const count = await beside('undone-beside', async (userGuid, profileId) => {
      await updateUser(app.context, userGuid, { isBlocked: true });
      const changes = [
        { updateUser: { userGuid, input: { isBlocked: false } } },
        { assignProfile: { userGuid, profileId, roleId: 'guest' } },
      ];
      await applyChanges(app.context, planChanges(changes), {});
      const [set] = await app.context.sql.rows<{ guid: string }>(
        'select change_set_guid::text as guid from change_sets order by change_set_id desc limit 1',
      );
      return () => undoChangeSet(app.context, set!.guid, {});
    });
    expect(count).toBe(2);
  });
});

describe('a file in git and a connector', () => {
  const file = (profileId: string, userGuid: string) => ({
    managedBy: 'catalogue',
    userProfiles: [{ userGuid, profileId, roleId: 'member' }],
  });
  const apply = async (content: object, options: object = {}) =>
    applyFile(app.context, content, (await planFile(app.context, content, options)).hash, options);
  const managers = async (profileId: string) =>
    (
      await app.context.sql.rows<{ managed_by: string | null }>(
        'select managed_by from user_profiles where profile_id = $1',
        [profileId],
      )
    ).map(({ managed_by }) => managed_by);

  it('leave the links of each other alone, unless the file takes them over', async () => {
    const { scim } = await newConnector(app.context, app.url, 'beside-file');
    const [first, second] = [
      await newGroup(app.context, 'First', 'first'),
      await newGroup(app.context, 'Second', 'second'),
    ];
    const { id } = (await scim('POST', '/Users', { userName: 'f', externalId: 'f' })).json;
    const add = (profileId: string) =>
      scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: [{ value: id }] }));
    const remove = (profileId: string) =>
      scim('PATCH', `/Groups/${profileId}`, patch({ op: 'remove', path: 'members' }));
    await add(first);
    await expect(apply(file(first, id))).rejects.toMatchObject({ more: { problems: expect.anything() } });
    await apply(file(second, id));
    for (const each of [await add(second), await remove(second)]) expect(each.status).toBe(204);
    expect([await managers(first), await managers(second)]).toEqual([['scim:beside-file'], ['catalogue']]);
    // what the file no longer has goes, and the link of the connector stays
    await apply({ managedBy: 'catalogue', userProfiles: [] }, { prune: true });
    expect([await managers(first), await managers(second)]).toEqual([['scim:beside-file'], []]);
    await apply(file(first, id), { takeOver: true });
    await remove(first);
    expect(await managers(first)).toEqual(['catalogue']);
  });

  it('have names of their own: a file can not be named like a connector', async () => {
    await expect(planFile(app.context, { managedBy: 'scim:beside-file', roles: [] })).rejects.toMatchObject({
      more: { problems: { managedBy: [expect.stringContaining('scim:')] } },
    });
  });
});

it('the requests of a connector are limited per minute, those of another one are not', async () => {
  const limited = await startTestApp({ SCIM_RATE_LIMIT: '5', CLIENT_FAILURE_LIMIT: '3' });
  const { scim, token } = await newConnector(limited.context, limited.url, 'busy');
  const { scim: other } = await newConnector(limited.context, limited.url, 'calm');
  const statuses = async (by: Scim, count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await by('GET', '/ServiceProviderConfig')).status));
  expect((await statuses(scim, 7)).sort()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const over = await scim('GET', '/Users');
  expect([over.json.status, over.headers.get('retry-after')]).toEqual(['429', expect.stringMatching(/^\d+$/)]);
  // wrong tokens lock nobody out who has the right one
  const wrong = await statuses(scimOf(limited.url, `${token.slice(0, -1)}!`), 5);
  expect([...new Set(wrong)]).toEqual([401]);
  const guessed = await statuses(scimOf(limited.url, token.replace(/.{4}$/, 'AAAA')), 5);
  expect(guessed.sort()).toEqual([401, 401, 401, 429, 429]);
  expect(await statuses(other, 2)).toEqual([200, 200]);
});

it('SCIM is 503 while the database is away, and right again once it is back', async () => {
  const proxy = await startProxy((await createMigratedDatabase()).url);
  const away = await startTestApp({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT_MS: '10000', DATABASE_POOL_MAX: '4' });
  await newRole(away.context, 'member');
  const { scim } = await newConnector(away.context, away.url, 'away');
  const group = await newGroup(away.context, 'Away', 'away');
  const { id } = (await scim('POST', '/Users', { userName: 'u', externalId: 'u' })).json;
  const ask = () =>
    Promise.all([
      scim('GET', '/Users'),
      scim('GET', `/Users/${id}`),
      scim('PUT', `/Users/${id}`, { userName: 'u' }),
      scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'x' })),
      scim('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: id }] })),
      scim('GET', '/Groups'),
    ]);
  const cut = ask();
  await proxy.cut();
  for (const { status } of await cut) expect([200, 204, 503]).toContain(status);
  for (const { status, headers, json } of await ask()) {
    expect([status, headers.get('content-type'), json?.status]).toEqual([503, 'application/scim+json', '503']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }
  await proxy.restore();
  for (const { status } of await ask()) expect([200, 204]).toContain(status);
  expect((await scim('GET', `/Groups/${group}`)).json.members).toHaveLength(1);
  await away.close();
  await proxy.close();
});

it('addresses have the base path of the service', async () => {
  const below = await startTestApp({ BASE_PATH: '/auth' });
  const { token } = await newConnector(below.context, below.url, 'below');
  const scim = scimOf(`${below.url}/auth`, token);
  const { headers, json } = await scim('POST', '/Users', { userName: 'u', externalId: 'u' });
  expect(headers.get('location')).toBe(`${below.context.issuerUrl}/scim/v2/Users/${json.id}`);
  expect((await fetch(json.meta.location, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});
