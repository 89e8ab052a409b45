/** An export as one text. */
import type { Context } from '../../src/context.js';
import { exportFile } from '../../src/modules/transfer/exportFile.js';

export async function exportedText(context: Context, wanted: Parameters<typeof exportFile>[1] = {}): Promise<string> {
  let text = '';
  await exportFile(context, wanted, async (piece) => {
    text += piece;
  });
  return text;
}
