/** Columns as PostgreSQL sends them, made JSON: the same as JSON.stringify makes of the values. */
import { type ColumnType, fixedTypes, jsonColumn } from '../../src/engine/columns.js';

type Value = string | number | boolean | null;

function columnOf(type: ColumnType['type'], nullable: boolean, sent: Buffer, count: number): unknown {
  const part = { alias: 'p', fields: new Map([['field', { type, nullable }]]), toOne: [] };
  const { bytes, starts } = jsonColumn({ p: count, 'p.field': sent }, part, 'field');
  const values = starts.slice(1).map((end, index) => bytes.toString('utf8', starts[index], end - 1));
  expect(`[${values.join()}]`).toBe(bytes.toString('utf8', 0, starts.at(-1)));
  return values;
}

const microseconds = (time: string): bigint => BigInt(Date.parse(time) - Date.UTC(2000, 0, 1)) * 1_000n;

function sendFixed(type: keyof typeof fixedTypes, value: Value): Buffer {
  const bytes = Buffer.alloc(fixedTypes[type].bytes);
  if (type === 'integer') bytes.writeInt32BE(value as number);
  else if (type === 'boolean') bytes[0] = Number(value);
  else if (type === 'uuid') bytes.write((value as string).replaceAll('-', ''), 'hex');
  else bytes.writeBigInt64BE(microseconds(value as string));
  return bytes;
}

const fixed: [keyof typeof fixedTypes, Value[]][] = [
  ['integer', [0, 1, -1, 9, 10, 99, 100, 1_000_000_000, 2_147_483_647, -2_147_483_648]],
  ['boolean', [true, false]],
  [
    'uuid',
    [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '01234567-89ab-cdef-0123-456789abcdef',
    ],
  ],
  [
    'dateTime',
    [
      '2026-01-02T03:04:05.600Z',
      '1999-12-31T23:59:59.999Z',
      '2000-01-01T00:00:00.000Z',
      '2000-02-29T12:00:00.001Z',
      '1900-03-01T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '0099-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
      '+010000-01-01T00:00:00.000Z',
      '-000001-12-31T23:59:59.999Z',
    ],
  ],
];

it.each(fixed)('values of one length, %s, leave as JSON has them, there or not', (type, values) => {
  const sent = values.map((value) => sendFixed(type, value));
  expect(columnOf(type, false, Buffer.concat(sent), values.length)).toEqual(
    values.map((value) => JSON.stringify(value)),
  );
  const some = sent.flatMap((bytes) => [Buffer.of(0), Buffer.of(1), bytes]);
  expect(columnOf(type, true, Buffer.concat(some), 2 * values.length)).toEqual(
    values.flatMap((value) => ['null', JSON.stringify(value)]),
  );
});

it('every day of 800 years is the day that it is', () => {
  const days = Array.from({ length: 292_194 }, (_, day) =>
    new Date(Date.UTC(1600, 0, 1 + day, day % 24)).toISOString(),
  );
  const sent = Buffer.concat(days.map((day) => sendFixed('dateTime', day)));
  expect(columnOf('dateTime', false, sent, days.length)).toEqual(days.map((day) => JSON.stringify(day)));
});

const sendTexts = (texts: (string | null)[]): Buffer =>
  Buffer.concat(
    texts.flatMap((text, index) => [
      Buffer.alloc(index === 0 ? 0 : 3, 0xff),
      text === null ? Buffer.alloc(2) : Buffer.from(text),
    ]),
  );

it.each<[string, (string | null)[]]>([
  ['plain ones', ['a', '', 'ß 👩‍👩‍👧 \u2028', ', ']],
  ['none', [null]],
  ['some not there', [null, '', null, 'a', null]],
  ['an empty one', ['']],
  ['what JSON escapes', ['a', null, 'say "x"', '\\', '\u0001\n\u001f\u007f', 'null']],
  ['every character below 256', [...Array.from({ length: 255 }, (_, code) => String.fromCharCode(code + 1)), null]],
])('texts leave as JSON has them: %s', (_name, texts) => {
  expect(columnOf('string', true, sendTexts(texts), texts.length)).toEqual(texts.map((text) => JSON.stringify(text)));
});

it('a column with another number of values than there are records is refused, not shown', () => {
  for (const count of [1, 3, 4]) {
    expect(() => columnOf('string', true, sendTexts(['a', 'b']), count)).toThrow();
    expect(() => columnOf('integer', false, Buffer.alloc(8), count)).toThrow();
    expect(() => columnOf('uuid', true, Buffer.alloc(2), count)).toThrow();
  }
});
