/** A request that is always answered the same, byte for byte: rows of reads that are large. */
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { AnswerReader } from './answers.js';
import type { Target } from './load.js';
import type { Side } from './service.js';

/** Each answer must be as long as the first, and samples of them the same; the first must say what is expected, where told. */
export async function stillTarget(
  { port, name }: Side,
  request: string,
  connections: number,
  expected?: Buffer,
): Promise<Target> {
  const first = await wholeAnswer(port, request);
  if (expected && !isDeepStrictEqual(comparable(first), comparable(expected)))
    throw new Error(`${name} says something else: ${first.toString('utf8', 0, 600)}`);
  return {
    port,
    connections,
    request: () => request,
    keepsOneOf: 50,
    answered: (_connection, { status, bytes, body }) => {
      if (status !== 200 || bytes !== first.length || (body && !body.equals(first)))
        throw new Error(`${name} answered ${status} with ${bytes} bytes in place of ${first.length}`);
    },
  };
}

/** PostGraphile writes times otherwise. */
const comparable = (answer: Buffer): unknown =>
  JSON.parse(answer.toString(), (key, value) => (key === 'createdDate' ? Date.parse(value) : value));

/** The body of the answer to one request on a connection of its own. Throws unless it is a 200. */
export function wholeAnswer(port: number, request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const reader = new AnswerReader();
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      const answer = reader.push(chunk, true);
      if (!answer) return;
      socket.destroy();
      if (answer.status === 200) resolve(answer.body!);
      else reject(new Error(`${answer.status} ${answer.body}`));
    });
    socket.write(request);
  });
}
