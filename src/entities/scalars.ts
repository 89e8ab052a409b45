/** GraphQL's scalars for guids and times. As in REST, guids are accepted in any case and with braces, and returned in lower case. */
import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { isDay, isOnCalendar, isWrittenInFourDigits, parseGuid } from './valueForms.js';

// RFC 3339 §5.6: the offset is required, because a time without one depends on the machine
const timeForm = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

function readGuid(value: unknown): string {
  const guid = parseGuid(value);
  if (!guid) throw new TypeError('A guid is expected.');
  return guid;
}

/** The text as the database accepts it, or a date without a time, whose meaning depends on the place. Parsing the result again returns the same text. */
function readTime(value: unknown): string {
  if (typeof value === 'string' && isDay(value)) return value;
  const [, day] = (typeof value === 'string' && timeForm.exec(value)) || [];
  const time = new Date(day ? (value as string).toUpperCase() : Number.NaN);
  const isReal = isWrittenInFourDigits(time) && isOnCalendar(day!);
  if (!isReal) throw new TypeError('A date-time is expected.');
  return time.toISOString();
}

const fromLiteral =
  (read: (value: unknown) => string) =>
  (node: ValueNode): string =>
    read(node.kind === Kind.STRING ? node.value : undefined);

/** Rows already have guids and times in their output form. */
const asItIs = (value: unknown): unknown => value;

export const Uuid = new GraphQLScalarType({
  name: 'UUID',
  description: 'A guid. Input may be in any case and with or without braces; output is in lower case.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  serialize: asItIs,
  parseValue: readGuid,
  parseLiteral: fromLiteral(readGuid),
});

export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  description:
    'A date and time in ISO 8601. Input requires an offset; where something ends, a date without a time is the end of that day in TIME_ZONE. Output is in UTC with milliseconds and `Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: asItIs,
  parseValue: readTime,
  parseLiteral: fromLiteral(readTime),
});

export const Json = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: asItIs,
  parseValue: asItIs,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});
