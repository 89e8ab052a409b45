/** npx gatehouse keys: which keys there are, and their rotation. */
import { notice, print, withContext } from './session.js';

const headings = ['kid', 'alg', 'state', 'created', 'active since', 'retired'];

export const listKeys = (): Promise<void> =>
  withContext(async ({ sql }) => {
    const { readKeys } = await import('../services/signingKeys.js');
    const keys = await readKeys(sql);
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
    const { rotateKey } = await import('../services/keyRotation.js');
    await print(await rotateKey(context));
    notice('It signs from now on; tokens signed before stay good.');
  });
