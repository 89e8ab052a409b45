/** Pasted e-mail addresses become people. */
import { randomUUID } from 'node:crypto';
import { linkProfile, newProfile, newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const query = `query ($emails: [String!]!, $profileId: ID) { matchEmails(emails: $emails, profileId: $profileId) {
  email user { userGuid } suggestion { userGuid } userProfile { roleId } } }`;
const match = async (emails: string[], profileId?: string) =>
  (await graph.data(query, { emails, profileId }, graph.token(['admin:read']))).matchEmails;

/** A domain of the test's own. */
const newDomain = () => `${randomUUID().slice(0, 8)}.example`;
const newPerson = async (email: string) => (await newUser(graph.app.context, { email })).user_guid;

it.each([
  ['zo\u00EB', 'zoe\u0308'],
  ['zoe\u0308', 'ZO\u00CB'],
  ['zoe', '\uFF5A\uFF4F\uFF45'],
])('matchEmails finds the user of an address, however its letters are written (%j, pasted as %j)', async (stored, written) => {
  const domain = newDomain();
  const userGuid = await newPerson(`${stored}@${domain}`);
  expect(await match([`${written}@${domain}`])).toMatchObject([{ user: { userGuid }, suggestion: null }]);
});

it('matchEmails finds all users of an address, in any case, and who holds the profile already', async () => {
  const domain = newDomain();
  const { context } = graph.app;
  const profileId = await newProfile(context);
  const ada = await newUser(context, { email: `Ada.Ng@${domain}` });
  await linkProfile(context, ada.user_id, profileId, 'member');
  const [one, other] = [await newPerson(`shared@${domain}`), await newPerson(`shared@${domain}`)];
  const emails = [` ada.ng@${domain.toUpperCase()} `, `shared@${domain}`, 'nobody', ''];
  const none = { user: null, suggestion: null, userProfile: null };
  expect(await match(emails, profileId)).toEqual([
    { ...none, email: emails[0], user: { userGuid: ada.user_guid }, userProfile: { roleId: 'member' } },
    { ...none, email: emails[1], user: { userGuid: one } },
    { ...none, email: emails[1], user: { userGuid: other } },
    { ...none, email: emails[2] },
    { ...none, email: emails[3] },
  ]);
  expect((await match(emails)).map((entry: { userProfile: object | null }) => entry.userProfile)).toEqual(
    Array(5).fill(null),
  );
});

it.each([
  ['a letter left out', 'chloe.baer3', ''],
  ['a letter too many', 'cchloe.bauer3', ''],
  ['a wrong letter', 'chloe.bauer2', ''],
  ['two letters exchanged', 'chole.bauer3', ''],
  ['an accent', 'chloë.bauer3', ''],
  ['a mistake in the domain', 'chloe.bauer3', 's'],
])('offers the user of the nearest address: %s', async (_mistake, local, domainMore) => {
  const domain = newDomain();
  const chloe = await newPerson(`chloe.bauer3@${domain}`);
  // as near by letters, and two letters away
  for (const other of ['boris.bauer3', 'chloe.bauer', 'chloe.reuab3']) await newPerson(`${other}@${domain}`);
  const [entry] = await match([`${local}@${domain}${domainMore}`]);
  expect(entry).toMatchObject({ user: null, suggestion: { userGuid: chloe } });
});

it('offers the user whose address is written with other letters, in both directions', async () => {
  const domain = newDomain();
  const people = await Promise.all(['jörg.großmann', 'lukasz.aeroe'].map((local) => newPerson(`${local}@${domain}`)));
  const entries = await match([`jorg.grossmann@${domain}`, `łukasz.ærø@${domain}`]);
  expect(entries).toEqual(people.map((userGuid) => expect.objectContaining({ user: null, suggestion: { userGuid } })));
});

it('offers nobody whose address is another one', async () => {
  const domain = newDomain();
  await newPerson(`chloe.bauer@${domain}`);
  const entries = await match([`chloe.becker@${domain}`, `chloe.bauer@${newDomain()}`, `@${domain}`]);
  expect(entries.map(({ suggestion }: { suggestion: object | null }) => suggestion)).toEqual([null, null, null]);
});

it('matchEmails takes a thousand addresses at most, in a few statements', async () => {
  const domain = newDomain();
  const emails = Array.from({ length: 1_000 }, (_, index) => `person${index}@${domain}`);
  await newPerson('person1@elsewhere.example');
  await match(emails.slice(0, 1));
  graph.app.takeStatements();
  expect(await match(emails)).toHaveLength(1_000);
  expect(graph.app.takeStatements().length).toBeLessThan(8);
  const { json } = await graph.ask(query, { emails: [...emails, 'one@too.many'] });
  expect(json.errors[0].extensions.code).toBe('TOO_LARGE');
  const long = await graph.ask(query, { emails: ['a'.repeat(321)] });
  expect(long.json.errors[0].extensions.problems).toHaveProperty(['emails[0]']);
});
