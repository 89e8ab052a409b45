/** The commands of the core: their words, their help, and what they run. modules/commands.ts lists those of the modules too. */
import { resolve } from 'node:path';
import { GatehouseError, OperatorError } from '../errors.js';
import { changingOptions, withChanges } from './changing.js';
import { type Command, type ParsedArguments, readKeepPreviousHours, UsageError } from './command.js';
import { runFinish, runMigrate } from './migrateCommand.js';
import { readText } from './readFile.js';
import { notice, print, printSecret } from './session.js';
import { listKeys, replaceKeys, revokeKeyOf, rotateKeys, runAdminToken } from './tokenCommands.js';

const clientServices = () => import('../services/people/clients.js');

/** Adds the client id to the not-found error. Errors of services never repeat a value, but the operator typed this one. */
const named = <T>(clientId: string, change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    const isMissing = error instanceof GatehouseError && error.code === 'NOT_FOUND';
    throw isMissing ? new OperatorError(`The client ${clientId} was not found.`) : error;
  });

/** @param startedIn the operator's folder, to which paths are relative */
export const clientCommands = (startedIn: string): Command[] => [
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
      as: { value: 'NAME', doc: 'who runs the command: guid, e-mail address or full name of a user' },
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
      'may-receive-events': { doc: 'it may manage event streams of its own, and poll them' },
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
      const hours = readKeepPreviousHours(options);
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
];

export const keyCommands: Command[] = [
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
        const { endSessionsSince } = await import('../services/tokens/revokeSessions.js');
        await print(String(await endSessionsSince(context, options.since!)));
      }),
  },
];

export const serviceCommands: Command[] = [
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
  const { description, audiences, jwks, 'jwks-uri': jwksUri, dpop } = options;
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
    ...(options['may-evaluate'] !== undefined && { mayEvaluate: true }),
    ...(options['may-receive-events'] !== undefined && { mayReceiveEvents: true }),
  };
  await withChanges(options, async (context) => {
    const { clientSecret } = await (await clientServices()).createClient(context, input);
    // a client with keys needs no secret, so none is printed
    if (jwks === undefined && jwksUri === undefined)
      await printSecret(context, clientSecret, `The client ${clientId} is created.`);
    else notice(`The client ${clientId} authenticates with its keys (private_key_jwt).`);
  });
}
