/** Every command: its words, its help, and what it runs. */
import { resolve } from 'node:path';
import { runAdminToken } from './adminTokenCommand.js';
import { type Command, UsageError } from './command.js';
import { runExport } from './exportCommand.js';
import { runImport } from './importCommand.js';
import { listKeys, rotateKeys } from './keysCommands.js';
import { runMigrate } from './migrateCommand.js';
import { notice, print, withContext } from './session.js';

const services = () => import('../services/clients.js');

/** @param startedIn the operator's folder: paths are meant from there */
export const commandsFrom = (startedIn: string): Command[] => [
  {
    words: 'import',
    summary: 'Loads users, profiles, applications, clients and more from a JSON file.',
    details: [
      'One transaction: adds and updates, never removes; but the accessScopeGuids of a profile are its whole list.',
      'Again it changes nothing. A bad row is named by its path, such as clients[1].clientSecret, and nothing is written.',
    ],
    takes: ['FILE.json'],
    run: ({ arguments: given }) => runImport(given['FILE.json']!, resolve(startedIn, given['FILE.json']!)),
  },
  {
    words: 'export',
    summary: 'Writes the catalogue as an import file; the same records give the same bytes.',
    details: ['FILE.json may be -, for standard output. Tokens are never in it: back up the database with pg_dump.'],
    takes: ['FILE.json'],
    options: {
      users: { doc: 'also users and the profiles that they hold: personal data' },
      clients: { doc: 'also clients, with the hashes of their secrets' },
    },
    run: ({ arguments: given, options }) =>
      runExport(given['FILE.json']!, resolve(startedIn, given['FILE.json']!), {
        users: options.users !== undefined,
        clients: options.clients !== undefined,
      }),
  },
  {
    words: 'admin-token',
    summary: 'Prints an access token for the administration, for the first administrator and for scripts.',
    options: {
      scopes: { value: 'SCOPES', doc: 'separated by commas (admin:read,admin:write,admin:security)' },
      minutes: { value: 'N', doc: 'how long it is good, 1 to 1440 (60)' },
      user: { value: 'GUID', doc: 'who makes the changes (SYSTEM_USER_GUID)' },
    },
    run: ({ options }) => runAdminToken(options),
  },
  {
    words: 'client create',
    summary: 'Makes a client and prints its secret, this once.',
    takes: ['ID'],
    options: {
      name: { value: 'NAME', doc: 'shown to people', required: true },
      description: { value: 'TEXT', doc: 'what it is for' },
    },
    run: ({ arguments: { ID: clientId }, options: { name, description } }) =>
      withContext(async (context) => {
        const input = { clientId: clientId!, name: name!, ...(description !== undefined && { description }) };
        await print((await (await services()).createClient(context, input)).clientSecret);
      }),
  },
  {
    words: 'client rotate-secret',
    summary: 'Gives a client a new secret and prints it, this once.',
    details: ['The secret before stops at once, unless it is kept for some hours.'],
    takes: ['ID'],
    options: { 'keep-previous-hours': { value: 'N', doc: 'hours for which the secret before works as well (0)' } },
    run: ({ arguments: { ID: clientId }, options }) => {
      const hours = readHours(options['keep-previous-hours']);
      return withContext(async (context) => {
        await print((await (await services()).rotateClientSecret(context, clientId!, hours)).clientSecret);
      });
    },
  },
  {
    words: 'client deactivate',
    summary: 'Switches a client off: its very next request is refused.',
    takes: ['ID'],
    run: ({ arguments: { ID: clientId } }) =>
      withContext(async (context) => {
        await (await services()).setClientActive(context, clientId!, false);
        notice(`The client ${clientId} is off.`);
      }),
  },
  { words: 'keys list', summary: 'Shows the keys that sign tokens.', run: () => listKeys() },
  {
    words: 'keys rotate',
    summary: 'Lets the next key sign from now on, publishes a new next one, and prints the id of the signing key.',
    details: ['Tokens that are signed already stay good.'],
    run: () => rotateKeys(),
  },
  { words: 'migrate', summary: 'Brings the database to the schema of this version.', run: () => runMigrate() },
  {
    words: 'doctor',
    summary:
      'Says what is wrong with settings, database, keys, identity providers, clock and port, and how to mend it.',
    run: async () => (await import('./doctor.js')).runDoctor(),
  },
];

function readHours(text = '0'): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError('--keep-previous-hours must be a number of hours.');
  return Number(text);
}
