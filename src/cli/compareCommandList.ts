/** The words and the help of bin/gatehouse compare. */
import { resolve } from 'node:path';
import type { Command } from './command.js';

const compare = () => import('./compareCommands.js');
const compareOptions = {
  values: { value: 'FILE', doc: 'the values behind pseudonyms, and tokens for each service (docs/migration.md)' },
  ignore: { value: 'PATHS', doc: 'values that may differ, separated by commas: $..modifiedDate,header.etag' },
  accept: {
    value: 'FILE',
    doc: 'the accepted differences; new ones are added to the file as comments, for you to decide',
  },
  strict: {
    doc: 'accepts no difference by default; without it, cache-control, kid, alg, iss and role names may differ',
  },
  timeout: { value: 'SECONDS', doc: 'for each request (30)' },
  html: { value: 'FILE', doc: 'the report as one page' },
  json: { doc: 'the report as JSON' },
};

/** @param startedIn the operator's folder, to which paths are relative */
export const compareCommandsFrom = (startedIn: string): Command[] => [
  {
    words: 'compare record',
    summary: 'Records the traffic of the old service, as a proxy in front of it, in a file that may be shared.',
    details: [
      'Secrets, tokens and personal data are replaced by pseudonyms before anything is written; a name that ends with .gz is',
      'compressed. It runs until Ctrl-C. Example:',
      '  bin/gatehouse compare record --listen 127.0.0.1:4080 --to https://old.example.com monday.jsonl.gz',
    ],
    takes: ['FILE'],
    options: {
      listen: { value: 'ADDRESS:PORT', doc: 'the address that clients use while it records', required: true },
      to: { value: 'URL', doc: 'the old service', required: true },
      values: { value: 'FILE', doc: 'stores the values behind pseudonyms, for a replay; keep this file secret' },
      timeout: { value: 'SECONDS', doc: 'for each request (30)' },
    },
    run: async ({ arguments: { FILE: file }, options }) =>
      (await compare()).recordTraffic(options, resolve(startedIn, file!), startedIn),
  },
  {
    words: 'compare replay',
    summary: 'Sends the requests of a recording to both services, and compares the answers.',
    details: [
      'Requests that change something are sent only with --writes: use copies of both databases. Exit code 1: something',
      'differs, or nothing could be compared. Example:',
      '  bin/gatehouse compare replay --old https://old.example.com --new http://127.0.0.1:4000 monday.jsonl.gz',
    ],
    takes: ['FILE'],
    options: {
      old: { value: 'URL', doc: 'the old service', required: true },
      new: { value: 'URL', doc: 'the new service', required: true },
      writes: { doc: 'also sends requests that change something: tokens are issued, records are created' },
      ...compareOptions,
    },
    run: async ({ arguments: { FILE: file }, options }) =>
      (await compare()).replayRecording(options, resolve(startedIn, file!), startedIn),
  },
  {
    words: 'compare shadow',
    summary: 'Passes requests to the old service, also sends reads to the new one, and compares the answers.',
    details: [
      'Clients get the old answer, whatever the new service does. Only reads are compared; a renewal is never sent to both.',
      'It runs until Ctrl-C. Exit code 1: something differs, or nothing could be compared. Example:',
      '  bin/gatehouse compare shadow --listen 127.0.0.1:4080 --to https://old.example.com --also http://127.0.0.1:4000',
    ],
    options: {
      listen: { value: 'ADDRESS:PORT', doc: 'the address that clients use while it runs (127.0.0.1:4080)' },
      to: { value: 'URL', doc: 'the old service', required: true },
      also: { value: 'URL', doc: 'the new service', required: true },
      ...compareOptions,
    },
    run: async ({ options }) => (await compare()).shadowTraffic(options, startedIn),
  },
  {
    words: 'compare cut-over',
    summary: 'Passes each request to the service of its client: the old one, or the new one for the clients in a file.',
    details: [
      'Each line of the file is a client, optionally with a share of its sessions: portal, kiosk 25%, or * 10% for all others.',
      'A change of the file takes effect at once. Sessions stay with the service where they began. It runs until Ctrl-C. Example:',
      '  bin/gatehouse compare cut-over --to https://old.example.com --new http://127.0.0.1:4000 --clients moved.txt',
    ],
    options: {
      listen: { value: 'ADDRESS:PORT', doc: 'the address that clients use while it runs (127.0.0.1:4080)' },
      to: { value: 'URL', doc: 'the old service', required: true },
      new: { value: 'URL', doc: 'the new service', required: true },
      clients: { value: 'FILE', doc: 'the clients that the new service answers', required: true },
      timeout: { value: 'SECONDS', doc: 'for each request (30)' },
    },
    run: async ({ options }) => (await compare()).cutOver(options, startedIn),
  },
];
