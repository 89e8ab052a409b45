/** What is dangerous needs a person who proved a few minutes ago who that is; everything else goes on. */
import { issueAdminToken } from '../../../src/services/tokens/operatorTokens.js';
import type { Browser } from './browser.js';
import { type DevelopmentConsole, finishSignIn, people, startDevelopmentConsole } from './consoleApp.js';

let own: DevelopmentConsole;
let browser: Browser;
beforeAll(async () => {
  own = await startDevelopmentConsole();
});
beforeEach(async () => {
  ({ browser } = await own.signIn(people.grace));
});

const growOld = (minutes = 11) =>
  own.app.context.sql.rows('update console_sessions set authenticated_at = now() - make_interval(mins => $1)', [
    minutes,
  ]);
const codeOf = async (query: string, variables?: object): Promise<string | undefined> =>
  (await browser.ask(query, variables)).json.errors?.[0].extensions.code;

const administers = ['ad300000-0000-4000-8000-000000000001', 'ad300000-0000-4000-8000-000000000003'];
const giveAda = `assignProfile(userGuid: "${people.ada}", profileId: "administration", roleId: "administrator")`;
const giveAdaInput = `{ assignProfile: { userGuid: "${people.ada}", profileId: "administration", roleId: "administrator" } }`;

it.each([
  ['a new client', 'mutation { createClient(input: { clientId: "new-one", name: "New" }) { clientSecret } }'],
  ['a new secret', 'mutation { rotateClientSecret(clientId: "demo-client") { clientSecret } }'],
  [
    'other keys by which a client proves itself',
    'mutation { updateClient(clientId: "demo-client", input: { jwksUri: "https://keys.example" }) { clientId } }',
  ],
  ['another signing key', 'mutation { rotateSigningKey { kid } }'],
  ['revoking all of a person', `mutation { revokeTokens(userGuid: "${people.ada}") }`],
  ['revoking all of a client', 'mutation { revokeTokens(clientId: "demo-client") }'],
  ['a profile that administers for somebody', `mutation { ${giveAda} { userProfileId } }`],
  ['the same in a set of changes', `mutation { applyChanges(changes: [${giveAdaInput}]) { changeSetGuid } }`],
  [
    'scopes that administer for a profile',
    `mutation { setProfileAccessScopes(profileId: "reporting", accessScopeGuids: ${JSON.stringify(administers)}) { profileId } }`,
  ],
  [
    'the identity of somebody who administers',
    `mutation { updateUser(userGuid: "${people.grace}", input: { idpid: "eve" }) { userGuid } }`,
  ],
])('%s: not eleven minutes after, and nothing is done', async (_case, query) => {
  await growOld();
  const before = await own.app.context.sql.rows('select version from catalogue_version');
  const refused = await browser.ask(query);
  expect(refused.json.errors[0].extensions.code).toBe('REAUTHENTICATE');
  expect(await own.app.context.sql.rows('select version from catalogue_version')).toEqual(before);
});

it('a person who did so now may, and may after signing in again, with the same profile and at the same place', async () => {
  const rotate = 'mutation { rotateClientSecret(clientId: "demo-client", keepPreviousHours: 1) { clientSecret } }';
  expect(await codeOf(rotate)).toBeUndefined();
  await growOld();
  expect(await codeOf(rotate)).toBe('REAUTHENTICATE');
  const from = `${own.app.url}/console/sign-in?again=1&return=/console/clients/demo-client`;
  const leave = new URL((await browser.go(from)).headers.get('location')!);
  expect([leave.searchParams.get('prompt'), leave.searchParams.get('max_age')]).toEqual(['login', '0']);
  const page = await finishSignIn(browser, from, people.grace);
  expect(page.headers.get('refresh')).toBe('0; url=/console/clients/demo-client');
  expect(await codeOf(rotate)).toBeUndefined();
});

it('a person of whom the provider never said when, is asked', async () => {
  await own.app.context.sql.rows('update console_sessions set authenticated_at = null');
  expect(await codeOf('mutation { rotateSigningKey { kid } }')).toBe('REAUTHENTICATE');
});

it('actions that are not dangerous need no new sign-in: reading, changing, revoking one token, ending a secret', async () => {
  await growOld();
  const application = `input: { name: "New", iconDefault: "i", iconHover: "h", appType: "web", renderingMode: "r", linkType: "l" }`;
  expect(await codeOf('{ clients { nodes { clientId } } }')).toBeUndefined();
  expect(await codeOf(`mutation { createApplication(${application}) { applicationGuid } }`)).toBeUndefined();
  expect(await codeOf('mutation { revokeTokens(tokenId: "1") }')).toBeUndefined();
  expect(await codeOf('mutation { endPreviousSecret(clientId: "demo-client") { clientId } }')).toBeUndefined();
  const shown = 'input: { name: "Renamed", jwks: null, jwksUri: null }';
  expect(await codeOf(`mutation { updateClient(clientId: "demo-client", ${shown}) { clientId } }`)).toBeUndefined();
  const link = `userGuid: "${people.ada}", profileId: "field-north", roleId: "operator"`;
  expect(await codeOf(`mutation { assignProfile(${link}) { userProfileId } }`)).toBeUndefined();
});

it('a dry run harms nothing, and is not asked for', async () => {
  await growOld();
  const tried = await browser.ask(
    `mutation { applyChanges(changes: [${giveAdaInput}], dryRun: true) { isDryRun effect { gains { users } } } }`,
  );
  expect(tried.json).toEqual({ data: { applyChanges: { isDryRun: true, effect: { gains: { users: 1 } } } } });
});

it('taking back what gave administration is asked for, and taking it back for good goes through then', async () => {
  const given = await browser.ask(`mutation { applyChanges(changes: [${giveAdaInput}]) { changeSetGuid } }`);
  const { changeSetGuid } = given.json.data.applyChanges;
  const undo = `mutation { undoChangeSet(changeSetGuid: "${changeSetGuid}") { changeSetGuid } }`;
  await growOld();
  expect(await codeOf(undo)).toBe('REAUTHENTICATE');
  await finishSignIn(browser, `${own.app.url}/console/sign-in?again=1`, people.grace);
  expect(await codeOf(undo)).toBeUndefined();
});

it('approving what gives administration is asked for, now and for a later time', async () => {
  const { context } = own.app;
  const scopes = ['admin:read'];
  const token = await issueAdminToken(context, { scopes, minutes: 5, userGuid: people.ada });
  const query = `mutation { proposeChanges(note: "x", changes: [{ assignProfile: {
    userGuid: "${people.bruno}", profileId: "administration", roleId: "administrator" } }]) { proposalGuid revision } }`;
  const { json } = await own.app.post('/graphql', { query }, { authorization: `Bearer ${token}` });
  const { proposalGuid, revision } = json.data.proposeChanges;
  const approve = (more = '') =>
    `mutation { approveProposal(proposalGuid: "${proposalGuid}", ifRevision: ${revision}${more}) { state } }`;
  const later = `, applyAt: "${new Date(Date.now() + 3_600_000).toISOString()}"`;
  await growOld();
  expect(await codeOf(approve())).toBe('REAUTHENTICATE');
  expect(await codeOf(approve(later))).toBe('REAUTHENTICATE');
  expect(await codeOf(approve(`${later}, dryRun: true`))).toBeUndefined();
  await finishSignIn(browser, `${own.app.url}/console/sign-in?again=1`, people.grace);
  expect((await browser.ask(approve(later))).json.data.approveProposal.state).toBe('SCHEDULED');
});

it('a caller with a token needs no new sign-in: the token lives for an hour', async () => {
  const scopes = ['admin:read', 'admin:write', 'admin:security'];
  const token = await issueAdminToken(own.app.context, { scopes, minutes: 5, userGuid: people.grace });
  const query = 'mutation { rotateSigningKey { kid } }';
  const { json } = await own.app.post('/graphql', { query }, { authorization: `Bearer ${token}` });
  expect(json.errors).toBeUndefined();
});
