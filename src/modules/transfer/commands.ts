/** The commands `import` and `export`. */
import { resolve } from 'node:path';
import { changingOptions } from '../../cli/changing.js';
import type { Command } from '../../cli/command.js';
import { runExport, runImport } from './cli/runTransfer.js';

/** @param startedIn the operator's folder, to which paths are relative */
export const transferCommands = (startedIn: string): Command[] => [
  {
    words: 'import',
    summary: 'Loads users, profiles, applications, clients and more from a JSON file.',
    details: [
      'Runs in one transaction. Adds and updates, never removes. The accessScopeGuids of a profile replace its whole list.',
      'A second import changes nothing. A bad row is named by its path, such as clients[1].clientSecret, and nothing is written.',
      'Secrets and isActive of clients, isBlocked of users and revocations stay if they were changed here since, and are listed.',
    ],
    takes: ['FILE.json'],
    options: {
      csv: { doc: 'the file is CSV with a row for each person, or for each profile of a person' },
      map: {
        value: 'COLUMNS',
        doc: 'with --csv: the columns by property, such as email=E-Mail,firstName=Vorname (default: columns named like the properties)',
      },
      'reset-clients': { doc: 'takes secrets and isActive of clients from the file, even if they were changed here' },
      ...changingOptions,
    },
    run: ({ arguments: positional, options }) =>
      runImport(positional['FILE.json']!, resolve(startedIn, positional['FILE.json']!), options),
  },
  {
    words: 'export',
    summary: 'Writes the catalogue as an import file; the same records give the same bytes.',
    details: ['FILE.json may be -, for standard output. It never contains tokens: back up the database with pg_dump.'],
    takes: ['FILE.json'],
    options: {
      users: { doc: 'also users and the profiles that they hold: personal data' },
      clients: { doc: 'also clients, with the hashes of their secrets' },
      'as-of': {
        value: 'TIME',
        doc: 'the catalogue as it was at that time, such as 2026-01-31T12:00:00Z; not with users and clients',
      },
    },
    run: ({ arguments: positional, options }) =>
      runExport(positional['FILE.json']!, resolve(startedIn, positional['FILE.json']!), {
        users: options.users !== undefined,
        clients: options.clients !== undefined,
        asOf: options['as-of'],
      }),
  },
];
