/** What loads the records of the demonstration. */
import type { Context } from '../context.js';
import { importFile } from './transfer/importFile.js';

export const load: ((context: Context, content: unknown) => Promise<unknown>) | undefined = importFile;
