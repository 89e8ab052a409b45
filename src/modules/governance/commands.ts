/** The command `review export`. */
import type { Command } from '../../cli/command.js';
import { notice, withContext, write } from '../../cli/session.js';
import { OperatorError } from '../../errors.js';

export const reviewExportCommand: Command = {
  words: 'review export',
  summary: 'Writes the evidence of an access review: each grant, who decided what and when, and what was done.',
  details: ['The output is CSV, in which no cell can run as a formula, or JSON. It contains personal data.'],
  takes: ['GUID'],
  options: { csv: { doc: 'as CSV (the default)' }, json: { doc: 'as JSON' } },
  example: '7d0f… --csv > review.csv',
  run: ({ arguments: { GUID: guid }, options }) => exportReview(guid!, options.json === undefined ? 'csv' : 'json'),
};

async function exportReview(text: string, format: 'csv' | 'json'): Promise<void> {
  const { parseGuid } = await import('../../entities/valueForms.js');
  const guid = parseGuid(text);
  if (guid === undefined) throw new OperatorError('GUID must be the reviewGuid of an access review.');
  await withContext(async (context) => {
    const { writeEvidence } = await import('./reviews/evidence.js');
    const count = await writeEvidence(context, guid, format, write);
    notice(`Exported ${count} grants.`);
  });
}
