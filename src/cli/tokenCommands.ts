/** `admin-token` and the `keys` commands. */
import { createInterface } from 'node:readline/promises';
import { allPermissions } from '../auth/caller.js';
import { ownAddress } from '../config/config.js';
import type { Context } from '../context.js';
import { parseGuid } from '../entities/valueForms.js';
import { OperatorError } from '../errors.js';
import { withAuthor, withChanges } from './changing.js';
import { type ParsedArguments, textTable, UsageError } from './command.js';
import { notice, print, withContext } from './session.js';

type Options = ParsedArguments['options'];

const minutesMax = 480;

/** Throws UsageError. */
function readAdminTokenOptions({ scopes, minutes = '60', user }: Options) {
  const count = Number(minutes);
  if (!/^\d+$/.test(minutes) || count < 1 || count > minutesMax)
    throw new UsageError(`--minutes must be a whole number from 1 to ${minutesMax}.`);
  const userGuid = parseGuid(user);
  if (user !== undefined && userGuid === undefined) throw new UsageError('--user must be the guid of a user.');
  const requested = scopes === undefined ? [...allPermissions] : scopes.split(/[\s,]+/).filter(Boolean);
  requested.forEach(requireScope);
  return { scopes: requested, minutes: count, user: userGuid };
}

/** Refuses a misspelt administration scope. Scopes of other types are allowed, to try what they open. */
function requireScope(scope: string): void {
  const isOwn = (allPermissions as ReadonlySet<string>).has(scope);
  if (scope.startsWith('admin:') && !isOwn)
    throw new UsageError(`--scopes: ${scope} is none of ${[...allPermissions].join(', ')}.`);
  if (!/^[^\s:]+:.+$/.test(scope)) throw new UsageError(`--scopes: ${scope} is not of the form TYPE:KEY.`);
}

export async function runAdminToken(options: Options): Promise<void> {
  const { scopes, minutes, user } = readAdminTokenOptions(options);
  await withContext(async (unnamed) => {
    const context = await withAuthor(unnamed, options, false);
    const { issueAdminToken } = await import('../services/tokens/operatorTokens.js');
    warnIfUnusable(context, scopes);
    await print(await issueAdminToken(context, { scopes, minutes, userGuid: user ?? context.config.systemUserGuid }));
  });
}

function warnIfUnusable({ config, issuerUrl }: Context, scopes: string[]): void {
  if (!scopes.some((scope) => scope.startsWith('admin:'))) notice('The token has no administration scope.');
  if (config.issuerUrl || issuerUrl !== ownAddress(config)) return;
  if (config.port === 0)
    notice('PORT=0: the running service has another issuer; set ISSUER_URL so that it accepts the token.');
  else if (config.databaseUrl)
    notice(
      `The token's issuer is ${issuerUrl}: a service with another HOST or PORT refuses it. Set ISSUER_URL for both.`,
    );
}

const headings = ['kid', 'alg', 'state', 'created', 'active since', 'retired'];

const keysMayBeLost = { keysMayBeLost: true };

export const listKeys = (): Promise<void> =>
  withContext(async ({ sql }) => {
    const { readKeys } = await import('../services/keys/keyStore.js');
    const keys = await readKeys(sql);
    const rows = keys.map(({ kid, alg, state, createdAt, activatedAt, retiredAt }) => [
      kid,
      alg,
      state,
      ...[createdAt, activatedAt, retiredAt].map((time) => time?.toISOString() ?? '-'),
    ]);
    await print(textTable([headings, ...rows]));
  }, keysMayBeLost);

/** How long the answer with the published keys may be cached (Cache-Control). */
const knownAfterMs = 5 * 60_000;

export const rotateKeys = (options: Options): Promise<void> =>
  withChanges(options, async (context) => {
    const [{ rotateKey }, { readKeys }] = await Promise.all([
      import('../services/keys/rotateKey.js'),
      import('../services/keys/keyStore.js'),
    ]);
    const kid = await rotateKey(context);
    await print(kid);
    notice('It signs from now on; earlier tokens stay valid.');
    const key = (await readKeys(context.sql)).find((candidate) => candidate.kid === kid);
    if (key?.activatedAt && key.activatedAt.getTime() - key.createdAt.getTime() < knownAfterMs)
      notice(
        'It was published less than five minutes ago: an API that read the keys shortly before that may refuse its tokens until it reads them again.',
      );
  });

export const revokeKeyOf = (kid: string, options: Options): Promise<void> =>
  withChanges(
    options,
    async (context) => {
      const { revokeKey } = await import('../services/keys/rotateKey.js');
      const signing = await revokeKey(context, kid);
      notice(`Tokens of ${kid} are refused within a second; ${signing} signs.`);
      notice(
        'An API that verifies tokens itself refuses them when it reads the published keys again: restart it, or wait.',
      );
    },
    keysMayBeLost,
  );

const replaceWarning = `Every signing key that KEY_ENCRYPTION_KEY does not open is removed for good. Access tokens that it signed are refused.
Do this only if KEY_ENCRYPTION_KEY is lost: look first at the settings of every process and in every back-up of them.`;

export async function replaceKeys(options: Options): Promise<void> {
  const { lost, yes, 'dry-run': dryRun } = options;
  if (!lost) throw new UsageError('keys replace needs --lost. Use keys rotate for keys that are not lost.');
  notice(replaceWarning);
  if (!yes && dryRun === undefined) await confirm();
  const replace = async (context: Context) => {
    const { replaceLostKeys } = await import('../services/keys/rotateKey.js');
    const { removed, signing } = await replaceLostKeys(context);
    await print(signing);
    notice(`Removed: ${removed.join(', ')}. ${signing} signs.`);
    notice('Operators: restart every process with the new KEY_ENCRYPTION_KEY, and store it apart from the database.');
    notice('APIs: read the JWKS again (restart them, or wait), then refuse access tokens of the removed keys.');
    notice(
      'Clients: renew refused access tokens. Renewal tokens stay valid. A console sign-in under way begins again.',
    );
  };
  await withChanges(options, replace, keysMayBeLost);
}

/** Throws unless the operator answers yes at the terminal. */
async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError('Standard input is not a terminal: confirm with --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if ((await terminal.question('Type yes to continue: ')).trim() !== 'yes')
      throw new OperatorError('Nothing was changed.');
  } finally {
    terminal.close();
  }
}
