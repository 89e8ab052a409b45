/** npx gatehouse keys: which keys there are, their rotation and their end. */
import { notice, print, withContext } from './session.js';
import { textTable } from './textTable.js';

const headings = ['kid', 'alg', 'state', 'created', 'active since', 'retired'];

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
  });

/** As long as the answer with the published keys may be kept (Cache-Control). */
const knownAfterMs = 5 * 60_000;

export const rotateKeys = (): Promise<void> =>
  withContext(async (context) => {
    const [{ rotateKey }, { readKeys }] = await Promise.all([
      import('../services/keys/rotateKey.js'),
      import('../services/keys/keyStore.js'),
    ]);
    const kid = await rotateKey(context);
    await print(kid);
    notice('It signs from now on; tokens signed before stay good.');
    const key = (await readKeys(context.sql)).find((each) => each.kid === kid);
    if (key?.activatedAt && key.activatedAt.getTime() - key.createdAt.getTime() < knownAfterMs)
      notice(
        'It was published less than five minutes ago: an API that read the keys shortly before that may refuse its tokens until it reads them again.',
      );
  });

export const revokeKeyOf = (kid: string): Promise<void> =>
  withContext(async (context) => {
    const { revokeKey } = await import('../services/keys/revokeKey.js');
    const signing = await revokeKey(context, kid);
    notice(`Tokens of ${kid} are refused within a second; ${signing} signs.`);
    notice(
      'An API that verifies tokens itself refuses them when it reads the published keys again: restart it, or wait.',
    );
  });
