/** The lists of a large review, when another process answers than the one that tried the changes. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { type ServiceProcess, startProcess } from '../../operations/process.js';
import { newHolder, newRole, newScope, newScopeType } from '../../support/records.js';

let graph: TestGraph;
let other: ServiceProcess;
beforeAll(async () => {
  graph = await startTestGraph();
  other = await startProcess({
    DATABASE_URL: graph.app.database.url,
    ISSUER_URL: graph.app.url,
    ID_TOKEN_ISSUERS: JSON.stringify([
      { issuer: graph.app.provider.issuer, audience: 'a', idpname: 'i', subject: 'userGuid' },
    ]),
  });
});
afterAll(async () => {
  await other?.kill();
  await graph?.close();
});

const fields =
  'effectId gains { users profiles } loses { users } groups(by: PROFILE) { nodes { key } totalCount } sentences { text count }';
const tryOut = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) { effect { ${fields} } } }`;
const read = `query ($effectId: ID!) { effect(effectId: $effectId) { ${fields} } }`;

async function elsewhere(effectId: string, token: string) {
  const answer = await fetch(`${other.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: read, variables: { effectId } }),
  });
  const { data, errors } = (await answer.json()) as {
    data?: { effect: object };
    errors?: [{ extensions: { code: string } }];
  };
  return errors ? errors[0].extensions.code : data!.effect;
}

it('another process counts an effect again for the caller who tried the changes, and for nobody else', async () => {
  const [holder, { profileId }] = [await newHolder(graph.app.context), await newHolder(graph.app.context)];
  await newScope(graph.app.context, await newScopeType(graph.app.context), profileId, { access_scope_key: 'k' });
  const changes = [{ assignProfile: { userGuid: holder.userGuid, profileId, roleId: 'member' } }];
  const token = graph.token();
  const { effect } = (await graph.data(tryOut, { changes }, token)).applyChanges;
  expect(effect.gains).toEqual({ users: 1, profiles: 1 });
  expect(await elsewhere(effect.effectId, graph.token())).toBe('NOT_FOUND');
  expect(await elsewhere(effect.effectId, token)).toEqual(effect);
});

it('after a change of the catalogue an effect has its sentences still', async () => {
  const { userGuid, profileId } = await newHolder(graph.app.context);
  const changes = [{ unassignProfile: { userGuid, profileId, roleId: 'member' } }];
  const token = graph.token();
  const { effect } = (await graph.data(tryOut, { changes }, token)).applyChanges;
  expect(effect.sentences).toHaveLength(1);
  await newRole(graph.app.context);
  expect((await graph.data(read, { effectId: effect.effectId }, token)).effect).toEqual(effect);
});

it('another process counts the effect of a proposal, of a review and of an undo again for who has read it', async () => {
  const { context } = graph.app;
  const [holder, { profileId }] = [await newHolder(context), await newHolder(context)];
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  const changes = [{ assignProfile: { userGuid: holder.userGuid, profileId, roleId: 'member' } }];
  const effectOf = `effect { ${fields} }`;
  const propose = `mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "n") { ${effectOf} } }`;
  const reader = graph.token(['admin:read']);
  const ofProposal = (await graph.data(propose, { changes }, reader)).proposeChanges.effect;
  expect(ofProposal.gains).toEqual({ users: 1, profiles: 1 });
  expect(await elsewhere(ofProposal.effectId, graph.token())).toBe('NOT_FOUND');
  expect(await elsewhere(ofProposal.effectId, reader)).toEqual(ofProposal);

  const keeper = graph.token();
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
  const { changeSetGuid: guid } = (await graph.data(apply, { changes }, keeper)).applyChanges;
  const undo = `mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid, dryRun: true) { ${effectOf} } }`;
  const ofUndo = (await graph.data(undo, { guid }, keeper)).undoChangeSet.effect;
  expect(ofUndo).toMatchObject({ loses: { users: 1 }, sentences: null });
  expect(await elsewhere(ofUndo.effectId, keeper)).toEqual(ofUndo);

  const start = `mutation ($profileId: ID!) { startReview(name: "n", filter: { profileIds: [$profileId] }, dueAt: "2100-01-01", undecided: END)
    { reviewGuid ${effectOf} } }`;
  const { reviewGuid, effect: ofReview } = (await graph.data(start, { profileId }, keeper)).startReview;
  expect(ofReview.loses).toEqual({ users: 2 });
  expect(await elsewhere(ofReview.effectId, keeper)).toEqual(ofReview);
  const finish = `mutation ($guid: UUID!) { finishReview(reviewGuid: $guid, dryRun: true) { ${effectOf} } }`;
  const ofEnd = (await graph.data(finish, { guid: reviewGuid }, keeper)).finishReview.effect;
  expect(await elsewhere(ofEnd.effectId, keeper)).toEqual(ofEnd);
});

it('what was tried is stored for ten minutes, the newest twenty of each caller', async () => {
  const { userGuid, profileId } = await newHolder(graph.app.context);
  await newScope(graph.app.context, await newScopeType(graph.app.context), profileId, { access_scope_key: 'k' });
  const changes = [{ unassignProfile: { userGuid, profileId, roleId: 'member' } }];
  const token = graph.token();
  const ids: string[] = [];
  for (let count = 0; count < 21; count++)
    ids.push((await graph.data(tryOut, { changes }, token)).applyChanges.effect.effectId);
  expect(await elsewhere(ids[0]!, token)).toBe('NOT_FOUND');
  expect(await elsewhere(ids[1]!, token)).toMatchObject({ loses: { users: 1 } });
  await graph.app.context.sql.rows('update tried_changes set ends_at = now()');
  expect(await elsewhere(ids[2]!, token)).toBe('NOT_FOUND');
});
