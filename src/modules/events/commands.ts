/** The commands of event streams. */
import { resolve } from 'node:path';
import { changingOptions, withChanges } from '../../cli/changing.js';
import { type Command, type ParsedArguments, readKeepPreviousHours, textTable } from '../../cli/command.js';
import { readText } from '../../cli/readFile.js';
import { notice, print, printSecret, withContext } from '../../cli/session.js';
import type { StreamKind } from './eventTypes.js';

const services = () => import('./streams.js');
const listOf = (text: string | undefined) => (text === undefined ? undefined : text.split(',').filter(Boolean));

const limits = {
  events: { value: 'TYPES', doc: 'only these types, separated by commas' },
  profiles: { value: 'IDS', doc: 'only what concerns these profiles' },
  applications: { value: 'GUIDS', doc: 'only what concerns these applications' },
};
const parts = {
  address: { value: 'URL', doc: 'where events are sent to' },
  audience: { value: 'TEXT', doc: '`aud` of security event tokens' },
  client: { value: 'ID', doc: 'the client that manages the stream and polls it' },
  'authorization-file': { value: 'FILE', doc: 'a file with the header Authorization of pushes' },
  ...limits,
};

function inputOf(options: ParsedArguments['options'], startedIn: string) {
  const { address, audience, client, events, profiles, applications, 'authorization-file': file } = options;
  const given = {
    address,
    audience,
    clientId: client,
    events: listOf(events),
    profileIds: listOf(profiles),
    applicationGuids: listOf(applications),
    authorizationHeader: file && readText(file, resolve(startedIn, file)).trim(),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @param startedIn the operator's folder, to which paths are relative */
export const streamCommandsFrom = (startedIn: string): Command[] => [
  {
    words: 'stream create',
    summary: 'Creates an event stream and prints its guid; for a webhook also its secret, which is shown only once.',
    details: [
      'KIND is webhook, push or poll. The first line is the guid, the second one the secret. A running service begins to deliver',
      'within 20 seconds if it has no stream yet.',
    ],
    takes: ['KIND', 'NAME'],
    options: { ...parts, ...changingOptions },
    example: 'webhook tickets --address https://tickets.example/hooks/gatehouse',
    run: ({ arguments: { KIND: kind, NAME: name }, options }) => {
      const input = { ...inputOf(options, startedIn), kind: kind as StreamKind, name: name! };
      return withChanges(options, async (context) => {
        const { stream, secret } = await (await services()).createEventStream(context, input);
        if (!context.isDryRun) await print(stream.eventStreamGuid);
        if (secret !== null) await printSecret(context, secret, `The stream ${name} is created.`);
        else notice(`The stream ${name} is created.`);
      });
    },
  },
  {
    words: 'stream list',
    summary: 'Shows the event streams, what waits for them and their last failure.',
    run: () =>
      withContext(async (context) => {
        const streams = await (await import('./listStreams.js')).listStreams(context);
        const rows = streams.map((stream) => [
          stream.guid,
          stream.name,
          stream.kind,
          stream.status,
          String(stream.waiting),
          stream.lastDeliveredAt ?? '-',
          stream.failures > 0 ? `${stream.lastProblem}` : '-',
          stream.address ?? '-',
        ]);
        await print(
          textTable([['guid', 'name', 'kind', 'status', 'waiting', 'last delivered', 'failure', 'address'], ...rows]),
        );
      }),
  },
  {
    words: 'stream update',
    summary: 'Changes an event stream; pauses, disables and enables it.',
    takes: ['GUID'],
    options: {
      name: { value: 'TEXT', doc: 'its name' },
      status: { value: 'STATUS', doc: 'enabled, paused (events wait) or disabled (events are not kept)' },
      reason: { value: 'TEXT', doc: 'why it gets the status' },
      ...parts,
      ...changingOptions,
    },
    example: '7d0f… --status paused --reason maintenance',
    run: ({ arguments: { GUID: guid }, options }) => {
      const { name, status, reason } = options;
      const input = {
        ...inputOf(options, startedIn),
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(reason !== undefined && { statusReason: reason }),
      };
      return withChanges(options, async (context) => {
        await (await services()).updateEventStream(context, guid!, input);
        notice(`The stream ${guid} is changed.`);
      });
    },
  },
  {
    words: 'stream rotate',
    summary: 'Gives a webhook a new secret and prints it. It is shown only once.',
    details: ['Events are also signed with the previous secret for a day, or for as many hours as you say.'],
    takes: ['GUID'],
    options: {
      'keep-previous-hours': { value: 'N', doc: 'hours for which the previous secret still signs (24)' },
      ...changingOptions,
    },
    run: ({ arguments: { GUID: guid }, options }) => {
      const hours = readKeepPreviousHours(options, '24');
      return withChanges(options, async (context) => {
        const { secret } = await (await services()).rotateEventStreamSecret(context, guid!, hours);
        await printSecret(context, secret!, `The stream ${guid} has a new secret.`);
      });
    },
  },
  {
    words: 'stream test',
    summary: 'Sends a test event; stream list shows what the receiver answered.',
    takes: ['GUID'],
    options: changingOptions,
    run: ({ arguments: { GUID: guid }, options }) =>
      withChanges(options, async (context) => {
        await (await services()).sendTestEvent(context, guid!);
        notice('The running service sends the test.');
      }),
  },
  {
    words: 'stream replay',
    summary: 'Sends the events since a time once more, with their ids, as far back as history reaches.',
    takes: ['GUID'],
    options: {
      since: { value: 'TIME', doc: 'such as 2026-01-31T12:00:00Z', required: true },
      ...changingOptions,
    },
    run: ({ arguments: { GUID: guid }, options }) =>
      withChanges(options, async (context) => {
        await (await services()).replayEvents(context, guid!, options.since!);
        notice('The running service repeats the events.');
      }),
  },
  {
    words: 'stream delete',
    summary: 'Removes an event stream, with what waits for it.',
    takes: ['GUID'],
    options: changingOptions,
    run: ({ arguments: { GUID: guid }, options }) =>
      withChanges(options, async (context) => {
        await (await services()).deleteEventStream(context, guid!);
        notice(`The stream ${guid} is removed.`);
      }),
  },
];
