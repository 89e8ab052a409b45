/** Every command: its words, its help, and what it runs. */
import { resolve } from 'node:path';
import { GatehouseError, OperatorError } from '../errors.js';
import { changingOptions, withChanges } from './changing.js';
import { type Command, type ParsedArguments, readHours, UsageError } from './command.js';
import { compareCommandsFrom } from './compareCommandList.js';
import { connectorCommands } from './connectorCommands.js';
import { runFinish, runMigrate } from './migrateCommand.js';
import { runPlan } from './planCommand.js';
import { notice, print, printSecret } from './session.js';
import { streamCommandsFrom } from './streamCommands.js';
import { listKeys, replaceKeys, revokeKeyOf, rotateKeys, runAdminToken } from './tokenCommands.js';
import { readText, runExport, runImport } from './transferCommands.js';

const planOptions = {
  'managed-by': { value: 'NAME', doc: 'the name that manages the records, for a file without managedBy' },
  prune: { doc: 'removes managed records that the file no longer contains' },
  'take-over': { doc: 'takes over records that another file manages' },
  json: { doc: 'prints the result as JSON' },
  markdown: { doc: 'prints the result as Markdown, for a comment on a pull request' },
  url: { value: 'URL', doc: 'runs in the service at this address; this machine needs neither database nor keys' },
  'token-file': { value: 'FILE', doc: 'with --url: an access token, or with --profile an ID token' },
  'id-token-env': {
    value: 'NAME',
    doc: 'with --url: the environment variable that holds the ID token of the pipeline',
  },
  profile: { value: 'ID', doc: 'with an ID token: the profile in which the pipeline acts' },
};

const clientServices = () => import('../services/people/clients.js');
const reports = () => import('./reportCommands.js');

/** Adds the client id to the not-found error. Errors of services never repeat a value, but the operator typed this one. */
const named = <T>(clientId: string, change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    const isMissing = error instanceof GatehouseError && error.code === 'NOT_FOUND';
    throw isMissing ? new OperatorError(`The client ${clientId} was not found.`) : error;
  });

/** @param startedIn the operator's folder, to which paths are relative */
export const commandsFrom = (startedIn: string): Command[] => [
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
  {
    words: 'plan',
    summary:
      'Shows what apply would change: records, fields, and who gains or loses access. Prints the hash that apply needs.',
    details: [
      'FILE is JSON or YAML in the form of an import file, or a folder of such files, with managedBy: NAME at its top.',
      'Exit 0: nothing to do, 2: changes, 1: failed. Nothing is changed.',
    ],
    takes: ['FILE'],
    options: planOptions,
    example: 'catalogue.yaml --prune',
    misspeltExit: 1,
    run: ({ arguments: positional, options }) => runPlan('plan', startedIn, positional.FILE!, options),
  },
  {
    words: 'apply',
    summary: 'Applies a plan as one change set. Refuses if the changes would now differ from the plan.',
    details: ['Use the same options as for plan. Exit 0: done, 1: refused or failed, and nothing was changed.'],
    takes: ['FILE'],
    options: {
      plan: { value: 'HASH', doc: 'the hash that plan printed', required: true },
      ...planOptions,
      note: { value: 'TEXT', doc: 'the reason, as the note of the change set (apply NAME)' },
      as: changingOptions.as,
    },
    example: 'catalogue.yaml --prune --plan 4f1c…',
    misspeltExit: 1,
    run: ({ arguments: positional, options }) => runPlan('apply', startedIn, positional.FILE!, options),
  },
  {
    words: 'drift',
    summary: 'Shows where the catalogue differs from FILE, who changed it and when. For a scheduled job.',
    details: ['Exit 0: no drift, 2: drift, 1: failed. Nothing is changed.'],
    takes: ['FILE'],
    options: planOptions,
    example: 'catalogue.yaml --prune --json',
    misspeltExit: 1,
    run: ({ arguments: positional, options }) => runPlan('drift', startedIn, positional.FILE!, options),
  },
  {
    words: 'admin-token',
    summary: 'Prints an access token for the administration, for the first administrator and for scripts.',
    details: [
      'It has the scopes that you name, independent of profiles. The audit log records it. GraphQL lists it among the tokens',
      '(tokenType admin) and can revoke it (revokeTokens), with effect at once.',
    ],
    options: {
      scopes: { value: 'SCOPES', doc: 'separated by commas (admin:read,admin:write,admin:security)' },
      minutes: { value: 'N', doc: 'its lifetime in minutes, 1 to 480 (60)' },
      user: { value: 'GUID', doc: 'the user who is recorded as the author of changes (SYSTEM_USER_GUID)' },
      as: changingOptions.as,
    },
    run: ({ options }) => runAdminToken(options),
  },
  {
    words: 'client create',
    summary: 'Creates a client and prints its secret, which is shown only once. A client with keys has no secret.',
    takes: ['ID'],
    options: {
      name: { value: 'NAME', doc: 'shown to people; optional for a client with its own keys: its id is used' },
      description: { value: 'TEXT', doc: 'what it is for' },
      jwks: { value: 'FILE', doc: 'its public keys, a JSON Web Key Set; no secret is created' },
      'jwks-uri': { value: 'URL', doc: 'the address of its public keys, instead of jwks' },
      dpop: { doc: 'its tokens must be bound to a key' },
      'may-evaluate': { doc: 'it may request decisions about every user (AuthZEN)' },
      audiences: { value: 'AUDIENCES', doc: 'audiences that its tokens may have, separated by commas (all)' },
      ...changingOptions,
    },
    run: ({ arguments: { ID: clientId }, options }) => createClient(clientId!, options, startedIn),
  },
  {
    words: 'client rotate-secret',
    summary: 'Gives a client a new secret and prints it. It is shown only once.',
    details: ['The previous secret stops at once, unless you keep it for some hours.'],
    takes: ['ID'],
    options: {
      'keep-previous-hours': { value: 'N', doc: 'hours for which the previous secret still works (0)' },
      ...changingOptions,
    },
    run: ({ arguments: { ID: clientId }, options }) => {
      const hours = readHours('keep-previous-hours', options);
      return withChanges(options, async (context) => {
        const { rotateClientSecret } = await clientServices();
        const { clientSecret } = await named(clientId!, rotateClientSecret(context, clientId!, hours));
        await printSecret(context, clientSecret, `The client ${clientId} has a new secret.`);
      });
    },
  },
  {
    words: 'client deactivate',
    summary: 'Deactivates a client: its next request is refused.',
    takes: ['ID'],
    options: changingOptions,
    run: ({ arguments: { ID: clientId }, options }) =>
      withChanges(options, async (context) => {
        const { setClientActive } = await clientServices();
        await named(clientId!, setClientActive(context, clientId!, false));
        notice(`The client ${clientId} is off.`);
      }),
  },
  {
    words: 'client harden',
    summary: 'Applies TOKEN_POLICY=hardened to the requests and tokens of one client, from its next request on.',
    details: ['Existing sessions are not bound to a client yet: each is bound to the first client that renews it.'],
    takes: ['ID'],
    options: { undo: { doc: 'goes back to the policy of the service' }, ...changingOptions },
    run: ({ arguments: { ID: clientId }, options }) =>
      withChanges(options, async (context) => {
        const policy = options.undo === undefined ? 'hardened' : null;
        const { updateClient } = await clientServices();
        await named(clientId!, updateClient(context, clientId!, { policy }));
        notice(
          policy ? `The client ${clientId} is hardened.` : `The client ${clientId} has the policy of the service.`,
        );
      }),
  },
  ...connectorCommands,
  ...streamCommandsFrom(startedIn),
  { words: 'keys list', summary: 'Shows the keys that sign tokens.', run: () => listKeys() },
  {
    words: 'keys rotate',
    summary: 'Makes the next key the signing key, publishes a new next key, and prints the id of the signing key.',
    details: ['Tokens that are already signed stay valid.'],
    options: changingOptions,
    run: ({ options }) => rotateKeys(options),
  },
  {
    words: 'keys revoke',
    summary: 'Revokes a compromised key, with every token that it signed.',
    details: [
      'If it is the signing key, the next key replaces it at once. Renewal tokens stay valid, because they are checked by',
      'their stored hash. Write an id that begins with - after --: keys revoke -- -KID.',
    ],
    takes: ['KID'],
    options: changingOptions,
    run: ({ arguments: { KID: kid }, options }) => revokeKeyOf(kid!, options),
  },
  {
    words: 'keys replace',
    summary: 'Replaces signing keys that cannot be decrypted any more, because their KEY_ENCRYPTION_KEY is lost.',
    details: ['Access tokens of the removed keys are refused. Renewal tokens stay valid.'],
    options: {
      lost: { doc: 'confirms that the encryption key is lost for good (required)' },
      yes: { doc: 'does not ask for confirmation' },
      ...changingOptions,
    },
    run: ({ options }) => replaceKeys(options),
  },
  {
    words: 'sessions end',
    summary: 'Ends the sessions whose token was issued or last renewed at or after a time, and prints their number.',
    details: [
      'Use it after a restore, because tokens revoked after the back-up are valid again. The users must sign in again. Access',
      'tokens stay valid until they expire, except with the hardened policy. The audit log records it.',
    ],
    options: {
      since: { value: 'TIME', doc: 'such as 2026-01-31T12:00:00Z', required: true },
      ...changingOptions,
    },
    run: ({ options }) =>
      withChanges(options, async (context) => {
        const { endSessionsSince } = await import('../services/tokens/revoke.js');
        await print(String(await endSessionsSince(context, options.since!)));
      }),
  },
  {
    words: 'explain',
    summary: 'Shows why a token request was refused, and what to do about it.',
    details: [
      'The trace id is in the header trace-id of the answer and in the log. A whole traceparent is accepted too.',
      'Refusals are kept for REFUSAL_RETENTION_DAYS, the newest 100,000.',
    ],
    takes: ['TRACE-ID'],
    run: async ({ arguments: positional }) => (await reports()).explainTrace(positional['TRACE-ID']!),
  },
  ...compareCommandsFrom(startedIn),
  {
    words: 'usage',
    summary: 'Shows who uses which operation, how, since when and how often; the most recent first.',
    details: [
      'Clients are listed by the id that they present, administrators by their guid. A request appears some seconds after its',
      'answer, and stays for USAGE_RETENTION_DAYS after the last one of its kind. At most 10,000 kinds are listed; the rest is `others`.',
    ],
    options: {
      client: { value: 'ID', doc: 'only requests of this client' },
      operation: { value: 'TEXT', doc: 'only operations that contain this text, such as /api' },
      since: { value: 'TIME', doc: 'only requests since this time, such as 2026-01-31' },
      json: { doc: 'prints the result as JSON' },
    },
    example: '--operation /api/applications --since 2026-01-31',
    run: async ({ options }) => (await reports()).runUsage(options),
  },
  {
    words: 'review export',
    summary: 'Writes the evidence of an access review: each grant, who decided what and when, and what was done.',
    details: ['The output is CSV, in which no cell can run as a formula, or JSON. It contains personal data.'],
    takes: ['GUID'],
    options: { csv: { doc: 'as CSV (the default)' }, json: { doc: 'as JSON' } },
    example: '7d0f… --csv > review.csv',
    run: async ({ arguments: { GUID: guid }, options }) =>
      (await reports()).exportReview(guid!, options.json === undefined ? 'csv' : 'json'),
  },
  {
    words: 'migrate',
    summary: 'Brings the database to the schema of this version.',
    details: [
      'With --finish it also removes what only the previous version needs. Use it when no process of that version runs any more',
      'and you will not go back to it.',
    ],
    options: { finish: { doc: 'removes what only the previous version needs' } },
    run: ({ options }) => (options.finish === undefined ? runMigrate() : runFinish()),
  },
  {
    words: 'doctor',
    summary: 'Checks settings, database, keys, identity providers, clock and port, and says how to fix what is wrong.',
    run: async () => (await import('./doctor.js')).runDoctor(),
  },
];

async function createClient(clientId: string, options: ParsedArguments['options'], startedIn: string): Promise<void> {
  const { description, audiences, jwks, 'jwks-uri': jwksUri, dpop, 'may-evaluate': mayEvaluate } = options;
  const name = options.name ?? (jwks === undefined && jwksUri === undefined ? undefined : clientId);
  if (name === undefined) throw new UsageError('--name is missing: it is shown to people.');
  const input = {
    clientId,
    name,
    ...(description !== undefined && { description }),
    ...(audiences !== undefined && { allowedAudiences: audiences.split(',').join(' ') }),
    ...(jwks !== undefined && { jwks: readText(jwks, resolve(startedIn, jwks)) }),
    ...(jwksUri !== undefined && { jwksUri }),
    ...(dpop !== undefined && { dpopRequired: true }),
    ...(mayEvaluate !== undefined && { mayEvaluate: true }),
  };
  await withChanges(options, async (context) => {
    const { clientSecret } = await (await clientServices()).createClient(context, input);
    // a client with keys needs no secret, so none is printed
    if (jwks === undefined && jwksUri === undefined)
      await printSecret(context, clientSecret, `The client ${clientId} is created.`);
    else notice(`The client ${clientId} authenticates with its keys (private_key_jwt).`);
  });
}
