/** Finds listed documents by the id that a client sends, or by their text, where only listed documents are executed. */
import { GraphQLError } from 'graphql';
import { type FindDocument, sha256Of } from '../../config/trustedDocuments.js';

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
  new GraphQLError('This document is not one of those that are accepted here.', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
  });
