/** Validates and caches GraphQL documents, and finds listed documents where only those are executed. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  NoSchemaIntrospectionCustomRule,
  ScalarLeafsRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.js';
import { type FindDocument, sha256Of } from '../../config/trustedDocuments.js';
import { isStorable } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';
import {
  findLiteral,
  type InputPath,
  isMissing,
  isNotOne,
  isOfWrongType,
  isUnknown,
  mustNotBeNull,
  pathText,
} from './inputs.js';
import { requireSmallDocument } from './limits.js';

const errorsMax = 50;

/** Returns the errors of a document; none if it may be executed. */
function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  showsSchema: boolean,
): readonly GraphQLError[] {
  return validate(schema, document, showsSchema ? rules : rulesWithoutSchema, {
    maxErrors: errorsMax,
    // suggestions would reveal the schema to callers who may not read it
    hideSuggestions: true,
  });
}

const literalsOfCorrectType: ValidationRule = (context) =>
  ValuesOfCorrectTypeRule(
    Object.create(context, {
      reportError: { value: (error: GraphQLError) => context.reportError(literalError(context, error)) },
    }) as ValidationContext,
  );

const rules = specifiedRules.map((rule) => (rule === ValuesOfCorrectTypeRule ? literalsOfCorrectType : rule));

/** The message of ScalarLeafsRule suggests a selection, whatever `hideSuggestions` says. */
const leavesWithoutSuggestion: ValidationRule = (context) =>
  ScalarLeafsRule(
    Object.create(context, {
      reportError: {
        value: ({ message, nodes }: GraphQLError) =>
          context.reportError(new GraphQLError(message.split(' Did you mean ', 1)[0]!, nodes ? { nodes } : {})),
      },
    }) as ValidationContext,
  );

const rulesWithoutSchema = [
  ...rules.map((rule) => (rule === ScalarLeafsRule ? leavesWithoutSuggestion : rule)),
  NoSchemaIntrospectionCustomRule,
];

/** Describes the error in the words that services use, at the input path. */
function literalError(context: ValidationContext, { nodes, message }: GraphQLError): GraphQLError {
  const node = nodes?.[0];
  if (!node) throw new Error('a literal has no place', { cause: message });
  const { path } = findLiteral(context.getDocument(), node) ?? { path: ['value'] };
  const [at, text] = fault(context, path, node.kind, message);
  return new GraphQLError(`${pathText(at)}: ${text}`, {
    nodes: node,
    extensions: { problems: { [pathText(at)]: [text] } },
  });
}

function fault(context: ValidationContext, path: InputPath, kind: Kind, message: string): [InputPath, string] {
  const type = context.getInputType()!;
  const named = getNamedType(type);
  if (kind === Kind.OBJECT_FIELD && !context.getInputType()) return [path, isUnknown(path)];
  if (kind === Kind.NULL) return [path, mustNotBeNull(path)];
  if (kind !== Kind.OBJECT || !isInputObjectType(named)) return [path, isOfWrongType(path, type)];
  // the path begins with the names of our arguments
  const missing = Object.keys(named.getFields()).find((name) =>
    message.startsWith(`Field "${named.name}.${name}" of `),
  );
  if (missing === undefined) return [path, isNotOne(path)];
  const at = [...path, missing];
  return [at, isMissing(at)];
}

/** Returns a function that says why a document cannot be executed; nothing if it can. */
export function openDocumentCheck(
  schema: GraphQLSchema,
  config: Config,
  showsSchema: boolean,
): (document: DocumentNode) => readonly GraphQLError[] {
  const verdicts = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const checkDocument = (document: DocumentNode): readonly GraphQLError[] => {
    try {
      requireSmallDocument(schema, config, document);
      requireStorableTexts(document);
      return validateDocument(schema, document, showsSchema).map(asInvalid);
    } catch (error) {
      return [asGraphqlError(error)];
    }
  };
  return (document) => {
    const verdict = verdicts.get(document) ?? checkDocument(document);
    verdicts.set(document, verdict);
    return verdict;
  };
}

/** NUL and lone surrogates in a document's texts, which escapes can make. Throws BAD_USER_INPUT. */
function requireStorableTexts(document: DocumentNode): void {
  visit(document, {
    StringValue({ value, loc }) {
      if (!isStorable(value))
        throw badInput({ [`query at ${loc?.start ?? 0}`]: ['The text contains a NUL or a lone surrogate.'] });
    },
  });
}

const asInvalid = ({ message, nodes, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, code: 'GRAPHQL_VALIDATION_FAILED' } });

export const asGraphqlError = (error: unknown, path?: GraphQLError['path']): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error, path });

/** The memory of a token with its node and location, from heap snapshots. */
const bytesOfToken = 450;
const bytesOfCharacter = 2;

/** Returns the approximate memory of a parsed document, in bytes. */
export function bytesOf({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * bytesOfToken + (loc?.source.body.length ?? 0) * bytesOfCharacter;
}

/** The cache interface of Apollo. */
interface Store<Value extends object | string> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** @param bytesMax of all values together @param sizeOf the bytes of a value */
export const openStore = <Value extends object | string>(bytesMax: number, sizeOf: (value: Value) => number) =>
  // Apollo awaits what the methods return
  new LRUCache<string, Value>({
    maxSize: bytesMax,
    sizeCalculation: (value) => Math.max(1, sizeOf(value)),
  }) as unknown as Store<Value>;

const documentBytesMax = 32_000_000;
const persistedBytesMax = 4_000_000;

/** Parsed documents by the hash of their text. */
export const openDocumentStore = (): Store<DocumentNode> => openStore(documentBytesMax, bytesOf);

/** Persisted queries that callers registered. */
export const openPersistedQueries = (): Store<string> =>
  openStore(persistedBytesMax, (text) => text.length * bytesOfCharacter);

export interface GraphqlRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The query string with its question mark. */
  search: string;
  body: unknown;
}

interface Sent {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  /** The document id in the draft of GraphQL over HTTP. */
  documentId?: unknown;
  /** The document id in Relay's documentation. */
  doc_id?: unknown;
  id?: unknown;
  /** Apollo Client and GraphQL Yoga send `persistedQuery.sha256Hash`. */
  extensions?: unknown;
}

/** The request with the text of the document that it names. Throws PERSISTED_QUERY_NOT_FOUND for one that is not listed. */
export function withListedDocument(request: GraphqlRequest, find: FindDocument): GraphqlRequest {
  const { method, search, body } = request;
  if (method === 'GET') {
    const sent = Object.fromEntries(new URLSearchParams(search));
    const { query, ...others } = withText({ ...sent, extensions: parsed(sent.extensions) }, find);
    const parameters = Object.entries({ ...others, query }).filter(([, value]) => typeof value === 'string');
    return { ...request, search: `?${new URLSearchParams(parameters as [string, string][])}` };
  }
  // a body that is no GraphQL request is refused later
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return request;
  return { ...request, body: withText(body, find) };
}

function withText({ query, operationName, variables, ...naming }: Sent, find: FindDocument): Sent {
  const others = {
    ...(operationName !== undefined && { operationName }),
    ...(variables !== undefined && { variables }),
  };
  const id = idIn(naming);
  if (id === undefined && typeof query !== 'string') return { ...others, query };
  const text = find(id ?? sha256Of(query as string));
  if (text === undefined || (typeof query === 'string' && query !== '' && query !== text)) throw notListed();
  return { ...others, query: text };
}

function idIn({ documentId, doc_id, id, extensions }: Sent): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  const ids = [documentId, doc_id, id, persistedQuery?.sha256Hash];
  return ids.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}

function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return undefined;
  }
}

const notListed = (): GraphQLError =>
  new GraphQLError('This document is not in the list of accepted documents.', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
  });
