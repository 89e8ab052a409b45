/** Bodies that arrive have a bounded memory together; those of the slowest senders give way. */
import { jest } from '@jest/globals';
import { openArrivingBodies } from '../../src/http/arrivingBodies.js';

let now = 0;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const kibibyte = 1024;
function open(bytesMax: number) {
  const arriving = openArrivingBodies(bytesMax);
  const gaveWay: string[] = [];
  const enter = (name: string, bytes: number, bytesMaxOfOne = 64 * kibibyte) => {
    const body = arriving.enter(bytesMaxOfOne, () => gaveWay.push(name));
    body.hold(bytes, bytes);
    return body;
  };
  return { enter, gaveWay };
}

it('within the bound none gives way, and one that leaves makes room', () => {
  const { enter, gaveWay } = open(640 * kibibyte);
  const bodies = Array.from({ length: 10 }, (_, index) => enter(`${index}`, 64 * kibibyte));
  expect(gaveWay).toEqual([]);
  for (const body of bodies.slice(0, 5)) body.leave();
  // twice is once
  bodies[0]!.leave();
  for (let count = 0; count < 5; count++) enter('next', 64 * kibibyte);
  expect(gaveWay).toEqual([]);
  enter('one more', kibibyte);
  expect(gaveWay.length).toBeGreaterThan(0);
});

it('past the bound half-sent bodies give way, the longest silent first; one that just came and one that goes on stay', () => {
  const { enter, gaveWay } = open(1024 * kibibyte);
  const upload = enter('upload', 64 * kibibyte, 8192 * kibibyte);
  for (let count = 0; count < 10; count++) {
    enter(`silent ${count}`, 60 * kibibyte);
    now += 1_000;
    upload.hold((count + 2) * 40 * kibibyte, (count + 2) * 20 * kibibyte);
  }
  now += 1_000;
  enter('small', 5 * kibibyte);
  expect(gaveWay).toEqual([]);
  enter('another', 60 * kibibyte);
  enter('another', 60 * kibibyte);
  enter('another', 60 * kibibyte);
  enter('another', 60 * kibibyte);
  expect(gaveWay).toEqual(
    ['silent 0', 'silent 1', 'silent 2', 'silent 3', 'silent 4', 'silent 5'].slice(0, gaveWay.length),
  );
  expect(gaveWay.length).toBeGreaterThan(0);
});

it('the largest of the bodies that arrive at the same moment give way, and small ones stay', () => {
  const { enter, gaveWay } = open(1024 * kibibyte);
  enter('upload', 400 * kibibyte, 8192 * kibibyte);
  enter('small', 8 * kibibyte);
  for (let count = 0; count < 40; count++) enter('flood', 60 * kibibyte);
  expect(new Set(gaveWay)).toEqual(new Set(['flood']));
  // those that stay are within the bound
  expect(40 - gaveWay.length).toBeLessThanOrEqual(10);
});

it('a body that grows past the bound may be the one that gives way', () => {
  const { enter, gaveWay } = open(100 * kibibyte);
  const body = enter('grown', 60 * kibibyte);
  now += 60_000;
  body.hold(60 * kibibyte, 120 * kibibyte);
  expect(gaveWay).toEqual(['grown']);
  body.leave();
  enter('next', 90 * kibibyte);
  expect(gaveWay).toEqual(['grown']);
});
