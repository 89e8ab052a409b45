/** Random documents with absent, null and given variables: each of four uses is answered as graphql-js's own executor answers. */
import fc from 'fast-check';
import {
  type ExecutionResult,
  execute,
  type GraphQLCompositeType,
  type GraphQLFormattedError,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  getVariableValues,
  isAbstractType,
  isCompositeType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import type { Context } from '../../src/context.js';
import type { GatehouseError } from '../../src/errors.js';
import { isAnswered } from '../../src/graphql/execution/errors.js';
import { openGraphql } from '../../src/graphql/execution/server.js';
import { graphContext, withRefusals } from '../../src/graphql/resolving/loaders.js';
import { openSchema } from '../../src/graphql/schema.js';
import { newHolder, newScope, newScopeType } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  for (let holder = 0; holder < 3; holder++) {
    const { profileId } = await newHolder(context);
    await newScope(context, await newScopeType(context), profileId, { access_scope_key: `key${holder}` });
  }
  // of each kind one that is there, and one that is gone
  await graph.data('mutation { createClient(input: { clientId: "c", name: "C" }) { clientSecret } }');
  for (const roleId of ['kept', 'gone'])
    await graph.data(`mutation { createRole(input: { roleId: "${roleId}", name: "R" }) { roleId } }`);
  await graph.data(
    'mutation { deleteRole(roleId: "gone") createProfile(input: { profileId: "p", name: "P" }) { name } }',
  );
  await graph.data('mutation { createUser(input: { firstName: "Ada", idpname: "p", idpid: "ada" }) { userGuid } }');
});
afterAll(() => graph?.close());

const schema = openSchema();
const roots = ['users', 'profiles', 'accessScopes', 'accessScopeTypes', 'roles', 'tokens', 'clients', 'auditEvents'];
type Pick = (count: number) => number;

/** Variables of the type, each with what it may be given: absent, null, or a value. */
const kinds = [
  { type: 'String', values: ['Ada', 'key0', 'Scope'], literal: '"Ada"' },
  { type: 'Int', values: [1, 2, 50], literal: '2' },
  { type: 'Boolean', values: [true, false], literal: 'true' },
  { type: 'Direction', values: ['ASC', 'DESC'], literal: 'DESC' },
] as const;

class Writer {
  readonly definitions: string[] = [];
  readonly variables: Record<string, unknown> = {};
  readonly fragments: string[] = [];
  readonly #pick: Pick;

  constructor(pick: Pick) {
    this.#pick = pick;
  }

  document(): string {
    const fields = Array.from({ length: 1 + this.#pick(2) }, (_, index) => {
      const name = roots[this.#pick(roots.length)]!;
      return `r${index}${this.#pick(6) === 0 ? '_a' : ''}: ${this.#field(schema.getQueryType()!, name, 0)}`;
    });
    const given = this.definitions.length > 0 ? ` (${this.definitions.join(' ')})` : '';
    return `query${given} { ${fields.join(' ')} } ${this.fragments.join(' ')}`;
  }

  #field(parent: GraphQLObjectType | GraphQLInterfaceType, name: string, depth: number): string {
    const { type, args } = parent.getFields()[name]!;
    const named = getNamedType(type);
    const given = args.length > 0 ? this.#arguments(named.name.replace('Connection', '')) : '';
    return isCompositeType(named) ? `${name}${given} { ${this.#selection(named, depth + 1)} }` : name;
  }

  #arguments(record: string): string {
    const given = [`first: ${this.#pick(3) === 0 ? this.#value(1) : 1 + this.#pick(3)}`];
    if (this.#pick(12) === 0) given[0] = 'first: -1';
    const text = {
      User: 'firstName',
      AccessScope: 'accessScopeKey',
      Profile: 'name',
      Role: 'name',
      AccessScopeType: 'name',
    }[record];
    if (text && this.#pick(4) > 0) {
      const condition = `{ ${['eq', 'eq', 'ne', 'contains'][this.#pick(4)]}: ${this.#value(0)}, isNull: ${this.#value(2)} }`;
      given.push(
        `filter: ${this.#pick(2) === 0 ? `{ ${text}: ${condition} }` : `{ or: [{ ${text}: ${condition} }, { ${text}: { in: ["Ada"] } }] }`}`,
      );
      if (this.#pick(3) === 0) given.push(`orderBy: [{ ${text}: ${this.#value(3)} }]`);
    }
    return `(${given.join(', ')})`;
  }

  /** A literal, or a variable that is absent, null or given. */
  #value(kind: number): string {
    const { type, values, literal } = kinds[kind]!;
    if (this.#pick(4) === 0) return literal;
    const name = `v${this.definitions.length}`;
    this.definitions.push(`$${name}: ${type}${this.#pick(5) === 0 ? ` = ${literal}` : ''}`);
    const given = this.#pick(3);
    if (given > 0) this.variables[name] = given === 1 ? null : values[this.#pick(values.length)];
    return `$${name}`;
  }

  /** Fragments on some of what an interface or a union stands for. */
  #abstract(type: GraphQLCompositeType, depth: number): string[] {
    const isOne = isObjectType(type);
    const abstract = ['Stamped', 'Managed', 'ChangedRecord']
      .map((name) => schema.getType(name)!)
      .filter(isAbstractType);
    const among = isOne ? abstract.filter((each) => schema.isSubType(each, type)) : abstract;
    const kinds = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    return [...among, ...kinds]
      .filter(() => depth < 6 && this.#pick(isOne ? 8 : 3) === 0)
      .map((each) => `... on ${each.name} { ${this.#selection(each, depth + 1)} }`);
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
    const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    const objects = fields.filter(
      (field) => isCompositeType(getNamedType(field.type)) && !/^(history|changeSet)/.test(field.name),
    );
    const chosen = ['__typename', ...leaves.filter(() => this.#pick(4) === 0).map(({ name }) => name)];
    const isConnection = type.name.endsWith('Connection');
    const inner = isConnection ? objects : objects.filter(() => depth < 5 && this.#pick(4) === 0).slice(0, 2);
    for (const [index, { name }] of inner.entries()) {
      if (isConnection && this.#pick(3) === 0) continue;
      chosen.push(`${this.#pick(4) === 0 ? `o${index}: ` : ''}${this.#field(type as GraphQLObjectType, name, depth)}`);
    }
    const text = [...chosen, ...this.#abstract(type, depth)].join(' ');
    if (this.#pick(6) !== 0) return text;
    const fragment = `F${this.fragments.length}`;
    this.fragments.push(`fragment ${fragment} on ${type.name} { ${text} }`);
    return this.#pick(2) === 0 ? `...${fragment}` : `...${fragment} ... on ${type.name} { ${text} }`;
  }
}

/**
 * The place that an error made null. Of several errors that reach the same one, whichever came first is answered
 * (GraphQL 6.4.4), so not the field that failed is compared.
 */
function nulledBy(path: readonly (string | number)[] = [], data: unknown): readonly (string | number)[] {
  let value = data;
  for (const [index, key] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, index);
    value = (value as Record<string | number, unknown>)[key];
  }
  return path;
}

/** A field that is refused in several places is told of once, by the one that came first: its nulls stand in the data. */
const codesOf = (errors: readonly { path?: readonly (string | number)[] | undefined; code: unknown }[]) =>
  errors.map(({ path, code }) => (code === 'FORBIDDEN' ? code : `${path?.join('.')} ${String(code)}`)).sort();

it('errors and their number included', async () => {
  const face = await openGraphql(graph.app.running.dependencies);
  const callers = (['admin:read', 'admin:security'] as const).map(
    (permission): Context => ({
      ...graph.app.context,
      caller: { kind: 'system', sub: graph.app.context.config.systemUserGuid, permissions: new Set([permission]) },
    }),
  );
  callers.push(graph.app.context);
  const headers = { 'content-type': 'application/json' };
  const seen = { answered: 0, failed: 0, absent: 0 };
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(1_000_000)), fc.nat(2), async (numbers, caller) => {
      const writer = new Writer((count) => (numbers.next().value as number) % count);
      const query = writer.document();
      const document = parse(query);
      if (validate(schema, document).length > 0) return;
      const context = callers[caller]!;
      const definitions = document.definitions.flatMap((definition) =>
        'variableDefinitions' in definition ? (definition.variableDefinitions ?? []) : [],
      );
      const values = getVariableValues(schema, definitions, writer.variables);
      if (values.errors) return;
      const reference = graphContext(context);
      const executed = await execute({ schema, document, contextValue: reference, variableValues: writer.variables });
      const { data: executedData, errors = [] } = withRefusals(executed, reference) as ExecutionResult;
      // nothing was answered: there is no data
      const data =
        errors.length === 0 || isAnswered(executedData, errors as readonly GraphQLFormattedError[], true)
          ? executedData
          : undefined;
      const expected = codesOf(
        errors.map(({ path, originalError }) => ({
          path: nulledBy(path, data),
          code: (originalError as GatehouseError | undefined)?.code,
        })),
      );
      for (let use = 0; use < 4; use++) {
        const { body } = await face(context, {
          method: 'POST',
          headers,
          search: '',
          body: { query, variables: writer.variables },
        });
        const json = JSON.parse(body.toString());
        if (json.errors?.[0].extensions.limit) return;
        expect([use, JSON.stringify(json.data)]).toEqual([use, JSON.stringify(data)]);
        expect([
          use,
          codesOf(
            (json.errors ?? []).map((error: { path: []; extensions: { code: string } }) => ({
              path: nulledBy(error.path, json.data),
              code: error.extensions.code,
            })),
          ),
        ]).toEqual([use, expected]);
      }
      seen[errors.length > 0 ? 'failed' : 'answered']++;
      if (definitions.length > Object.keys(writer.variables).length) seen.absent++;
    }),
    { numRuns: 150, interruptAfterTimeLimit: 90_000 },
  );
  expect(Math.min(seen.answered, seen.failed, seen.absent)).toBeGreaterThan(5);
});
