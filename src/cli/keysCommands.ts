/** npx gatehouse keys: which keys there are, and their rotation. */
import { notice, print, withContext } from './session.js';

const services = () => import('../services/signingKeys.js');
const headings = ['kid', 'alg', 'state', 'created', 'active since', 'retired'];

export const listKeys = (): Promise<void> =>
  withContext(async ({ sql }) => {
    const keys = await (await services()).readKeys(sql);
    const rows = keys.map(({ kid, alg, state, createdAt, activatedAt, retiredAt }) => [
      kid,
      alg,
      state,
      ...[createdAt, activatedAt, retiredAt].map((time) => time?.toISOString() ?? '-'),
    ]);
    await print(tableOf([headings, ...rows]));
  });

function tableOf(rows: string[][]): string {
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const rotateKeys = (): Promise<void> =>
  withContext(async (context) => {
    const { sql, encryptionKeys, config } = context;
    const { rotateSigningKey } = await services();
    await print(await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg }));
    notice('It signs from now on; tokens signed before stay good.');
  });
