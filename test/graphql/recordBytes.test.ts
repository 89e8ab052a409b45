/** Records as JSON in bytes, from columns as PostgreSQL writes them. */

import { fieldOf } from '../../src/entities/fields.js';
import { User } from '../../src/entities/User.js';
import { RecordBytes, roomBytes } from '../../src/graphql/compiled/recordBytes.js';

const names = ['firstName', 'createdDate'];
const part = { alias: 'p', fields: new Map(names.map((name) => [name, fieldOf(User, name).type])), toOne: [] };
const template = names.map((field) => ({ key: field, says: { field } }));

function written(firstNames: string, times: string, count: number): unknown[] {
  const texts = new RecordBytes({ p: count, 'p.firstName': firstNames, 'p.createdDate': times }, part, template);
  return Array.from({ length: count }, (_, record) => {
    const buffer = Buffer.alloc(texts.lengthOf(record) + roomBytes);
    const end = texts.write(record, new DataView(buffer.buffer, buffer.byteOffset, buffer.length), 0);
    expect(end).toBe(buffer.length - roomBytes);
    return JSON.parse(buffer.toString('utf8', 0, end));
  });
}

const minute = '2026-01-02T03:04';

it('times leave in UTC with milliseconds, whatever the offset and however many digits they come with', () => {
  const names3 = '["a", null, "c"]';
  const times = (...seconds: string[]) => `[${seconds.map((end) => (end ? `"${minute}:${end}"` : 'null')).join(', ')}]`;
  const told = (records: unknown[]) => (records as { createdDate: string }[]).map(({ createdDate }) => createdDate);
  expect(told(written(names3, times('05+00:00', '05.6+00:00', '05.67+00:00'), 3))).toEqual([
    `${minute}:05.000Z`,
    `${minute}:05.600Z`,
    `${minute}:05.670Z`,
  ]);
  expect(told(written(names3, times('05.678+00:00', '', '05+00:00'), 3))).toEqual([
    `${minute}:05.678Z`,
    null,
    `${minute}:05.000Z`,
  ]);
  expect(told(written(names3, times('05.6+00:00', '05.6+01:00', '05-02:30'), 3))).toEqual([
    `${minute}:05.600Z`,
    '2026-01-02T02:04:05.600Z',
    '2026-01-02T05:34:05.000Z',
  ]);
});
