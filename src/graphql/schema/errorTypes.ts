/** The codes of the graph's errors with status and meaning, and the types that document `extensions` in the schema. */
import {
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { type ErrorCode, statuses } from '../../errors.js';

type RequestCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'BAD_REQUEST'
  | 'PERSISTED_QUERY_NOT_FOUND';

/** Statuses of requests that are not executed, by code. Their messages contain at most names of the document, never a value. */
export const requestStatuses: Readonly<Record<RequestCode, number>> = {
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  BAD_REQUEST: 400,
  // not 400: after a 400, Apollo Client 3 stops sending hashes
  PERSISTED_QUERY_NOT_FOUND: 404,
};

const meanings: Readonly<Record<ErrorCode | RequestCode, string>> = {
  APPROVAL_REQUIRED: 'The change needs the approval of a second person: propose it with `proposeChanges`.',
  BAD_REQUEST: 'The body is not a GraphQL request.',
  BAD_USER_INPUT: 'An input is invalid: `problems` lists where and why.',
  CLIENT_CLOSED_REQUEST: 'The client closed the connection before the answer.',
  CONFLICT: 'The record exists already, is in use, or has changed since it was read.',
  FORBIDDEN: 'The access token lacks a required scope.',
  GONE: 'The path is deprecated and temporarily switched off (brown-out).',
  GRAPHQL_PARSE_FAILED: 'The document is not valid GraphQL syntax.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not match this schema.',
  INTERNAL: 'The service failed. The log has the cause under the trace id.',
  METHOD_NOT_ALLOWED: 'The method is neither GET nor POST, or a mutation was sent by GET.',
  NOT_FOUND: 'The record does not exist.',
  OPERATION_RESOLUTION_FAILURE:
    '`operationName` names no operation of the document, or is missing although there are several.',
  PERSISTED_QUERY_NOT_FOUND: 'There is no document with this hash.',
  PRECONDITION_FAILED: 'Over REST only: `If-Match` or `If-None-Match` is false.',
  REAUTHENTICATE: 'The user must sign in again.',
  TOO_LARGE: 'The body or the document is too large, or the request exceeds a limit: `limit` and `max` name it.',
  TOO_MANY_REQUESTS: 'The address sends too many requests: `Retry-After` says when to retry.',
  UNAUTHENTICATED: 'The request has no valid access token.',
  UNAVAILABLE: 'The database is unavailable: `Retry-After` says when to retry.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON.',
};

/** The status of an answer that holds nothing but errors of the code. */
export const statusByCode: Readonly<Record<string, number>> = { ...statuses, ...requestStatuses };

const errorCode = new GraphQLEnumType({
  name: 'ErrorCode',
  description: 'The value of `extensions.code` in an error. The status applies to answers without `data`.',
  values: Object.fromEntries(
    Object.entries(meanings).map(([code, meaning]) => [
      code,
      { description: `${meaning} Status ${code === 'TOO_LARGE' ? '400, or 413 for a body' : statusByCode[code]}.` },
    ]),
  ),
});

const required = (type: GraphQLOutputType) => new GraphQLNonNull(type as GraphQLObjectType);

const problem = new GraphQLObjectType({
  name: 'Problem',
  description:
    'A problem with an input. `extensions.problems` is an object that has the paths as keys and the messages as values.',
  fields: {
    path: {
      type: required(GraphQLString),
      description:
        'The path of the input: argument, fields and list positions, such as `input.name` or `items[2].state`.',
    },
    messages: {
      type: required(new GraphQLList(required(GraphQLString))),
      description: 'The messages. They never repeat the value that was sent.',
    },
  },
});

/** Adds the types that describe errors. No field returns them, because GraphQL has no types for errors. */
export function withErrorTypes(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...others } = schema.toConfig();
  return new GraphQLSchema({ ...others, types: [...types, errorCode, problem] });
}
