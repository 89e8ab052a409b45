/**
 * Arrays as PostgreSQL takes them in binary (array_send in its sources, and chapter 54 of its documentation for the message):
 * one dimension, from 1. Written once and read as they are; as text each member is quoted here and parsed there.
 */
import { isGuid } from '../../entities/guid.js';
import { timeEpochMs } from '../../entities/postgresTypes.js';

/** How a member of a type is written; `Value` is what fits. */
interface Element<Value = never> {
  oid: number;
  /** Whether the value can be written so; of any other PostgreSQL says what is wrong with it as text. */
  fits(value: unknown): boolean;
  bytesMax(value: Value): number;
  /** Gives how many bytes were written. */
  write(into: Buffer, at: number, value: Value): number;
}

const half = 2 ** 32;

const text: Element<string> = {
  oid: 25,
  fits: (value) => typeof value === 'string',
  // of a UTF-16 code unit
  bytesMax: (value) => 3 * value.length,
  write: (into, at, value) => into.write(value, at),
};
const uuid: Element<string> = {
  oid: 2950,
  fits: (value) => typeof value === 'string' && isGuid(value),
  bytesMax: () => 16,
  write: (into, at, value) => into.write(value.replaceAll('-', ''), at, 'hex'),
};
const bytea: Element<Buffer> = {
  oid: 17,
  fits: (value) => Buffer.isBuffer(value),
  bytesMax: (value) => value.length,
  write: (into, at, value) => value.copy(into, at),
};
const int: Element<number> = {
  oid: 23,
  fits: (value) => typeof value === 'number' && (value | 0) === value,
  bytesMax: () => 4,
  write: (into, at, value) => into.writeInt32BE(value, at) - at,
};
const timestamptz: Element<Date> = {
  oid: 1184,
  fits: (value) => value instanceof Date && Number.isSafeInteger((value.getTime() - timeEpochMs) * 1_000),
  bytesMax: () => 8,
  write(into, at, value) {
    const microseconds = (value.getTime() - timeEpochMs) * 1_000;
    into.writeInt32BE(Math.floor(microseconds / half), at);
    into.writeUInt32BE(((microseconds % half) + half) % half, at + 4);
    return 8;
  },
};
const elements = new Map<string, Element>(Object.entries({ text, uuid, bytea, int, timestamptz }));

/** The types of a statement's parameters as it casts them: `$1::uuid[]`. */
export function parameterTypes(statement: string): (string | undefined)[] {
  const types: (string | undefined)[] = [];
  for (const [, number, type] of statement.matchAll(/\$(\d{1,3})::([a-z]{1,20})\[\]/g))
    types[Number(number) - 1] = type;
  return types;
}

const headBytes = 20;
const lengthBytes = 4;

/** Undefined for a type, or for a value, that isn't written so. @param values null is PostgreSQL's null */
export function binaryArray(type: string | undefined, values: readonly unknown[]): Buffer | undefined {
  const element = elements.get(type ?? '');
  if (!element) return undefined;
  let bytesMax = headBytes;
  let hasNull = 0;
  for (const value of values) {
    if (value === null) hasNull = 1;
    else if (!element.fits(value)) return undefined;
    bytesMax += lengthBytes + (value === null ? 0 : element.bytesMax(value as never));
  }
  const bytes = Buffer.allocUnsafe(bytesMax);
  let at = 0;
  for (const head of [1, hasNull, element.oid, values.length, 1]) at = bytes.writeInt32BE(head, at);
  for (const value of values) {
    const length = value === null ? -1 : element.write(bytes, at + lengthBytes, value as never);
    at = bytes.writeInt32BE(length, at) + Math.max(0, length);
  }
  return bytes.subarray(0, at);
}
