/** The commands that print what the service has recorded: `explain` and `usage`. */
import type { Command } from '../../cli/command.js';

const reports = () => import('./cli/printReports.js');

export const explainCommand: Command = {
  words: 'explain',
  summary: 'Shows why a token request was refused, and what to do about it.',
  details: [
    'The trace id is in the header trace-id of the answer and in the log. A whole traceparent is accepted too.',
    'Refusals are kept for REFUSAL_RETENTION_DAYS, the newest 100,000.',
  ],
  takes: ['TRACE-ID'],
  run: async ({ arguments: positional }) => (await reports()).explainTrace(positional['TRACE-ID']!),
};

export const usageCommand: Command = {
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
};
