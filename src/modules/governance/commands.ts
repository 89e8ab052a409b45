/** The command `review export`. */
import type { Command } from '../../cli/command.js';

const reports = () => import('../../cli/reportCommands.js');

export const reviewExportCommand: Command = {
  words: 'review export',
  summary: 'Writes the evidence of an access review: each grant, who decided what and when, and what was done.',
  details: ['The output is CSV, in which no cell can run as a formula, or JSON. It contains personal data.'],
  takes: ['GUID'],
  options: { csv: { doc: 'as CSV (the default)' }, json: { doc: 'as JSON' } },
  example: '7d0f… --csv > review.csv',
  run: async ({ arguments: { GUID: guid }, options }) =>
    (await reports()).exportReview(guid!, options.json === undefined ? 'csv' : 'json'),
};
