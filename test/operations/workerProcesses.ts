/** The workers of a service that runs as several processes, and what all of them counted. */
import { readFileSync } from 'node:fs';
import type { ServiceProcess } from './process.js';

export const workersOf = ({ child }: ServiceProcess): number[] =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
/** Each request on a connection of its own, so that any worker may have it. */
export const keyless = { connection: 'close' };

export async function metricsAt(port: number): Promise<{ status: number; value(name: string): number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: keyless });
  const text = await answer.text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  return { status: answer.status, value };
}
export const notFound = 'gatehouse_requests_total{method="GET",endpoint="other",grant="",status="404"}';
/** Requests to nowhere, which `notFound` counts. */
export const ask = async (url: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count++) await fetch(`${url}/nowhere`, { headers: keyless });
};
