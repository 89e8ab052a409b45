/**
 * Every field of an effect, a change set, a history, an explanation and a refusal, asked for by each set of permissions: it
 * is told to those who may read its record, and to nobody else.
 */
import { type GraphQLObjectType, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import { describedRecords, describe as descriptionOf } from '../../../src/entities/description.js';
import { openSchema } from '../../../src/graphql/schema.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { newHolder, newScope, newScopeType } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

type Permission = 'admin:read' | 'admin:write' | 'admin:security';
const callers: Permission[][] = [
  [],
  ['admin:read'],
  ['admin:write'],
  ['admin:security'],
  ['admin:read', 'admin:security'],
  ['admin:write', 'admin:security'],
];
const schema = openSchema();
const readWith = new Map<string, Permission>(
  describedRecords().map((record) => [record.name, descriptionOf(record).readWith]),
);

interface Path {
  selection: string;
  /** Types on the way, the operation's own last. */
  types: string[];
}

/** The leaves below a type: of records their own fields and one step further. */
function* leaves(type: GraphQLObjectType, steps: number): Generator<Path> {
  for (const { name, args, type: of } of Object.values(type.getFields())) {
    if (args.some(isRequiredArgument)) continue;
    const target = getNamedType(of);
    if (!isObjectType(target)) yield { selection: name, types: [] };
    else {
      const left = readWith.has(target.name) ? steps - 1 : steps;
      if (left < 0) continue;
      const page = args.some((argument) => argument.name === 'first') ? '(first: 2)' : '';
      let isFirst = true;
      for (const { selection, types } of leaves(target, left)) {
        // at the last step one field stands for all: a record is read as a whole or not
        if (left === 0 && readWith.has(target.name) && !isFirst) continue;
        isFirst = false;
        yield { selection: `${name}${page} { ${selection} }`, types: [target.name, ...types] };
      }
    }
  }
}

interface Operation {
  /** With `SELECTION` where the fields stand. */
  document: string;
  variables: object;
  type: string;
  /** What the operation itself asks for. */
  needs: Permission;
  /** Whose own record is told to who made it. */
  ownRecord?: string;
}

async function operations(): Promise<Record<string, Operation>> {
  const { context } = graph.app;
  const { profileId, userGuid } = await newHolder(context);
  const scope = await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  const { createApplication } = await graph.data(
    'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { applicationGuid } }',
    { input: { name: 'A', ...icons } },
  );
  const { applicationGuid } = createApplication;
  const mapping = { applicationGuid, accessScopeGuid: scope.access_scope_guid };
  const { applyChanges } = await graph.data(
    'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, note: "n") { changeSetGuid } }',
    { changes: [{ mapping: { ...mapping, to: 'active' } }] },
  );
  const { changeSetGuid } = applyChanges;
  const changes = [{ mapping: { ...mapping, from: 'active', to: 'planned' } }];
  const ask = { applicationGuid, userGuid };
  const both = '$applicationGuid: UUID!, $userGuid: UUID!';
  return {
    'a dry run': {
      document:
        'mutation ($changes: [ChangeInput!]!) { it: applyChanges(changes: $changes, dryRun: true) { SELECTION } }',
      variables: { changes },
      type: 'ChangeSet',
      needs: 'admin:write',
      ownRecord: 'ChangeSet',
    },
    'the dry run of an undo': {
      document: 'mutation ($guid: UUID!) { it: undoChangeSet(changeSetGuid: $guid, dryRun: true) { SELECTION } }',
      variables: { guid: changeSetGuid },
      type: 'ChangeSet',
      needs: 'admin:write',
      ownRecord: 'ChangeSet',
    },
    'a change set that was made': {
      document: 'query ($guid: UUID!) { it: changeSet(changeSetGuid: $guid) { SELECTION } }',
      variables: { guid: changeSetGuid },
      type: 'ChangeSet',
      needs: 'admin:security',
    },
    'a history': {
      document: 'query ($id: String!) { it: history(subjectType: "Application", subjectId: $id) { SELECTION } }',
      variables: { id: applicationGuid },
      type: 'RecordVersionConnection',
      needs: 'admin:security',
    },
    'an explanation': {
      document: `query (${both}) { it: explainAccess(applicationGuid: $applicationGuid, userGuid: $userGuid) { SELECTION } }`,
      variables: ask,
      type: 'AccessExplanation',
      needs: 'admin:read',
    },
    'who reaches an application': {
      document: 'query ($guid: UUID!) { it: accessOf(applicationGuid: $guid) { SELECTION } }',
      variables: { guid: applicationGuid },
      type: 'Access',
      needs: 'admin:read',
    },
  };
}

/** An effect names profiles, applications and people; a connection needs what its records need. */
const permissionFor = (type: string): Permission | undefined =>
  type === 'Effect' ? 'admin:read' : readWith.get(type.replace(/(?:Connection|Edge)$/, ''));

const includes = (permissions: readonly Permission[], needed: Permission): boolean =>
  permissions.includes(needed) || (needed === 'admin:read' && permissions.includes('admin:write'));

it('every field is told to whom its records may be read by, and to nobody else', async () => {
  let asked = 0;
  const wrong: unknown[] = [];
  for (const [title, { document, variables, type, needs, ownRecord }] of Object.entries(await operations()))
    for (const { selection, types } of leaves(schema.getType(type) as GraphQLObjectType, 1)) {
      // of a set that has just been made it is null, whoever asks
      if (ownRecord && selection.startsWith('undoneBy')) continue;
      const needed = new Set<Permission>([needs]);
      for (const name of [type, ...types]) {
        const permission = permissionFor(name);
        if (permission && !(name === ownRecord && name === type && !types.includes(name))) needed.add(permission);
      }
      // it names what the audit events are about
      if (selection.endsWith('summary')) needed.add('admin:security');
      for (const permissions of callers) {
        const { json } = await graph.ask(document.replace('SELECTION', selection), variables, graph.token(permissions));
        const codes = (json.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
        const isAllowed = [...needed].every((permission) => includes(permissions, permission));
        asked++;
        if (isAllowed ? codes.length > 0 : codes.length === 0 || codes.some((code: string) => code !== 'FORBIDDEN'))
          wrong.push([title, selection, permissions.join(), isAllowed ? codes : JSON.stringify(json)]);
      }
    }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(900);
});
