/**
 * Dates without a time among the arguments of a field. Where something ends, such as in `validUntil`, they become the end of that
 * day in TIME_ZONE; anywhere else they are refused. Members of filters are refused where filters are read.
 */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { describe, describedRecords } from '../../entities/description.js';
import { DateTime } from '../../entities/scalars.js';
import { isDay } from '../../entities/valueForms.js';
import { badInput, type Problems } from '../../errors.js';
import { readEnd } from '../../services/records/input.js';
import type { GraphContext } from '../resolving/loaders.js';

interface Place {
  name: string;
  type: GraphQLInputType;
}

/** Makes the fields of the schema read dates without a time. */
export function readDays(schema: GraphQLSchema): void {
  const ends = new Set(
    describedRecords().flatMap((record) => describe(record).fields.flatMap(({ name, isEnd }) => (isEnd ? [name] : []))),
  );
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) wrap(field, ends);
}

function wrap(field: GraphQLField<unknown, GraphContext>, ends: ReadonlySet<string>): void {
  const places = field.args.filter(({ type }) => hasTimes(type));
  const { resolve } = field;
  if (places.length === 0 || !resolve) return;
  field.resolve = (parent, args, context, info) => {
    const problems: Problems = {};
    readMembers(args, places, '', { ends, timeZone: context.config.timeZone, problems });
    if (Object.keys(problems).length > 0) throw badInput(problems);
    return resolve(parent, args, context, info);
  };
}

interface Reading {
  ends: ReadonlySet<string>;
  timeZone: string;
  problems: Problems;
}

function readMembers(object: Record<string, unknown>, places: readonly Place[], path: string, reading: Reading) {
  for (const { name, type } of places) {
    const value = object[name];
    if (value !== undefined && value !== null)
      object[name] = read(value, name, getNullableType(type), path ? `${path}.${name}` : name, reading);
  }
}

function read(value: unknown, name: string, type: GraphQLInputType, path: string, reading: Reading): unknown {
  if (isListType(type) && Array.isArray(value))
    return value.map((item, index) => read(item, name, getNullableType(type.ofType), `${path}[${index}]`, reading));
  if (isInputObjectType(type)) readMembers(value as Record<string, unknown>, membersOf(type), path, reading);
  if (type !== DateTime || typeof value !== 'string' || !isDay(value)) return value;
  const end = reading.ends.has(name) ? readEnd(value, reading.timeZone) : undefined;
  if (end && 'value' in end) return end.value;
  reading.problems[path] = [
    `The ${name} field must be an ISO 8601 date-time with an offset, such as 2026-01-31T12:00:00Z.`,
  ];
  return value;
}

const members = new Map<GraphQLInputType, readonly Place[]>();

/** The members of an input type that are times or lead to some. */
function membersOf(type: GraphQLInputType): readonly Place[] {
  if (!isInputObjectType(type) || /Filter$/.test(type.name)) return [];
  const known = members.get(type);
  if (known) return known;
  // a type that leads to itself
  members.set(type, []);
  const found = Object.values(type.getFields()).filter((member) => hasTimes(member.type));
  members.set(type, found);
  return found;
}

const hasTimes = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return named === DateTime || membersOf(named).length > 0;
};
