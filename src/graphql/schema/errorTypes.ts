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

/** Statuses of requests that are not executed, by code; their texts hold names of the document at most, never a value. */
export const requestStatuses: Readonly<Record<RequestCode, number>> = {
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  BAD_REQUEST: 400,
  // not 400, after which Apollo Client 3 sends no hash any more
  PERSISTED_QUERY_NOT_FOUND: 404,
};

const meanings: Readonly<Record<ErrorCode | RequestCode, string>> = {
  BAD_REQUEST: 'The body is not a GraphQL request.',
  BAD_USER_INPUT: 'An input is refused: `problems` says where and why.',
  CLIENT_CLOSED_REQUEST: 'The client ended the connection before the answer.',
  CONFLICT: 'The record exists already, is in use, or was changed by somebody else meanwhile.',
  FORBIDDEN: 'The scopes of the access token do not suffice.',
  GONE: 'The path is about to end, and is switched off for some minutes.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document is not one of this schema.',
  INTERNAL: 'A failure of the service; the log has it by the trace id.',
  METHOD_NOT_ALLOWED: 'The method is neither GET nor POST, or a mutation came by GET.',
  NOT_FOUND: 'The record is not there.',
  OPERATION_RESOLUTION_FAILURE:
    '`operationName` names no operation of the document, or is missing where there are several.',
  PERSISTED_QUERY_NOT_FOUND: 'No document is known by this hash.',
  REAUTHENTICATE: 'The person has to sign in again first.',
  TOO_LARGE: 'The document, what it asks for (`limit` and `max` say which limit), or the body is too large.',
  TOO_MANY_REQUESTS: 'The address sends too many requests: `Retry-After` says when to go on.',
  UNAUTHENTICATED: 'There is no valid access token.',
  UNAVAILABLE: 'The database is away: `Retry-After` says when to try again.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON.',
};

/** The status of an answer that holds nothing but errors of the code. */
export const statusByCode: Readonly<Record<string, number>> = { ...statuses, ...requestStatuses };

const errorCode = new GraphQLEnumType({
  name: 'ErrorCode',
  description: '`extensions.code` of an error. The status is that of an answer without `data`.',
  values: Object.fromEntries(
    Object.entries(meanings).map(([code, meaning]) => [
      code,
      { description: `${meaning} Status ${code === 'TOO_LARGE' ? '400, of a body 413' : statusByCode[code]}.` },
    ]),
  ),
});

const required = (type: GraphQLOutputType) => new GraphQLNonNull(type as GraphQLObjectType);

const problem = new GraphQLObjectType({
  name: 'Problem',
  description: 'What is wrong with an input: a member of `extensions.problems`, which has the messages by their path.',
  fields: {
    path: {
      type: required(GraphQLString),
      description:
        'The member’s name: the argument, its fields and places in lists, such as `input.name` or `items[2].state`.',
    },
    messages: {
      type: required(new GraphQLList(required(GraphQLString))),
      description: 'The member’s value: sentences that never repeat what was sent.',
    },
  },
});

/** The schema with the types that errors have: no field answers them, as GraphQL has no types of errors. */
export function withErrorTypes(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...others } = schema.toConfig();
  return new GraphQLSchema({ ...others, types: [...types, errorCode, problem] });
}
