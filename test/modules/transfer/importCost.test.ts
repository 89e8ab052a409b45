/** What an import of 5,000 rows costs at most, accepted or refused, whatever the rows are. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { GatehouseError } from '../../../src/errors.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type Ceiling, searchWithin } from '../../support/costCeiling.js';

const rows = 5_000;
const ceiling: Ceiling = {
  cpu: 2_500,
  loopDelay: 1_500,
  databaseCpu: 5_000,
  bytesOut: 65_536,
  memory: 200,
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

interface Request {
  name: string;
  /** Another file at each attempt, so that it is not there yet. */
  file(attempt: number): object;
}

const many = <T>(make: (index: number) => T, count = rows): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const oneList = (name: string, list: string, make: (index: number, guid: string) => unknown): Request => ({
  name,
  file: () => ({ [list]: many((index) => make(index, randomUUID())) }),
});
const text = 'ä'.repeat(255);

/** A file that is imported, and once more: `again` changes each row. */
function catalogue(): Request {
  return {
    name: 'a catalogue whose every record is new',
    file: () => {
      const [type, run] = [randomUUID(), randomUUID().slice(0, 8)];
      const accessScopes = many(
        () => ({ accessScopeGuid: randomUUID(), accessScopeTypeGuid: type, name: text }),
        2_000,
      );
      return {
        accessScopeTypes: [{ accessScopeTypeGuid: type, name: run }],
        accessScopes,
        profiles: [
          { profileId: run, name: text, accessScopeGuids: accessScopes.map(({ accessScopeGuid }) => accessScopeGuid) },
        ],
        users: many(
          (index) => ({ userGuid: randomUUID(), firstName: text, lastName: text, email: `${run}${index}` }),
          2_999,
        ),
      };
    },
  };
}

const known: Request[] = [
  catalogue(),
  oneList('new users with long texts', 'users', (_index, userGuid) => ({
    userGuid,
    firstName: text,
    uipreferences: text.repeat(4),
  })),
  oneList('rows that are none', 'users', () => 7),
  oneList('the same mistake in each row', 'users', () => ({ userGuid: 'x' })),
  oneList('twenty mistakes in each row', 'users', (index) =>
    Object.fromEntries(many((field) => [`field${field}`, index], 20)),
  ),
  oneList('mistakes that are each another', 'roles', (index) => ({
    roleId: `${index}`,
    name: 'R',
    [`${index} ${text}`]: 1,
  })),
  oneList('the same record in each row', 'roles', () => ({ roleId: 'r', name: 'R' })),
  oneList('references to nobody', 'userProfiles', (index, userGuid) => ({
    userGuid,
    profileId: `${index}`,
    roleId: `${index}`,
  })),
  oneList('numbers of nobody', 'accessScopes', (index, accessScopeGuid) => ({
    accessScopeGuid,
    accessScopeTypeId: index + 10,
    name: 'S',
  })),
  oneList('hashes that are none', 'clients', (index) => ({
    clientId: `${index}`,
    name: 'C',
    clientSecretHash: '$2a$'.repeat(500),
  })),
  oneList('tokens of nobody', 'tokens', (index, userGuid) => ({
    userGuid,
    profileId: 'p',
    token: `${index}${text}`,
    createdAt: '2026-01-01',
    expiresAt: '2099-01-01',
  })),
  {
    name: 'a row with very many properties',
    file: () => ({ roles: [Object.fromEntries(many((index) => [`p${index}`, 1], 20 * rows))] }),
  },
  { name: 'lists that are none', file: () => Object.fromEntries(many((index) => [`list${index}`, []])) },
];

const lists = [
  'roles',
  'users',
  'accessScopeTypes',
  'accessScopes',
  'profiles',
  'userProfiles',
  'applications',
  'translations',
  'tokens',
];
const properties = [
  'roleId',
  'name',
  'userGuid',
  'accessScopeGuid',
  'accessScopeTypeGuid',
  'profileId',
  'applicationGuid',
  'token',
  'x',
];
const values = fc.oneof(
  fc.constantFrom(null, '', text, 0, -1, 2 ** 31, true, [], {}),
  fc.uuid(),
  fc.string({ maxLength: 20 }),
);
/** Every row is made of the same few properties, some of them with a value of its own. */
const requests = fc
  .record({
    list: fc.constantFrom(...lists),
    same: fc.dictionary(fc.constantFrom(...properties), values, { maxKeys: 5 }),
    own: fc.constantFrom(...properties),
  })
  .map(({ list, same, own }) =>
    oneList(JSON.stringify({ list, same, own }), list, (index, guid) => ({
      ...same,
      [own]: index % 2 ? guid : `${index}`,
    })),
  );

async function send({ file }: Request, attempt: number): Promise<string> {
  try {
    return JSON.stringify(await importFile(app.context, file(attempt)));
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    return JSON.stringify(error.more.problems ?? error.message);
  }
}

it('no file of 5,000 rows costs more than the ceiling', async () => {
  const dearest = await searchWithin(
    app,
    { requests, regressions: known, runs: 12, what: ({ name }) => name },
    send,
    ceiling,
  );
  if (process.env.GATEHOUSE_COSTS) process.stderr.write(`${JSON.stringify(dearest)}\n`);
});
