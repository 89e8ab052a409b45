/** The commands `plan`, `apply` and `drift`. */
import { changingOptions } from '../../cli/changing.js';
import type { Command } from '../../cli/command.js';
import { runPlan } from './cli/planCommand.js';

const planOptions = {
  'managed-by': { value: 'NAME', doc: 'the name that manages the records, for a file without managedBy' },
  prune: { doc: 'removes managed records that the file no longer contains' },
  'take-over': { doc: 'takes over records that another file manages' },
  json: { doc: 'prints the result as JSON' },
  markdown: { doc: 'prints the result as Markdown, for a comment on a pull request' },
  url: { value: 'URL', doc: 'runs in the service at this address; this machine needs neither database nor keys' },
  'token-file': { value: 'FILE', doc: 'with --url: an access token, or with --profile an ID token' },
  'id-token-env': {
    value: 'NAME',
    doc: 'with --url: the environment variable that holds the ID token of the pipeline',
  },
  profile: { value: 'ID', doc: 'with an ID token: the profile in which the pipeline acts' },
};

/** @param startedIn the operator's folder, to which paths are relative */
export const catalogueFileCommands = (startedIn: string): Command[] => [
  {
    words: 'plan',
    summary:
      'Shows what apply would change: records, fields, and who gains or loses access. Prints the hash that apply needs.',
    details: [
      'FILE is JSON or YAML in the form of an import file, or a folder of such files, with managedBy: NAME at its top.',
      'Exit 0: nothing to do, 2: changes, 1: failed. Nothing is changed.',
    ],
    takes: ['FILE'],
    options: planOptions,
    example: 'catalogue.yaml --prune',
    misspeltExit: 1,
    run: ({ arguments: positional, options }) => runPlan('plan', startedIn, positional.FILE!, options),
  },
  {
    words: 'apply',
    summary: 'Applies a plan as one change set. Refuses if the changes would now differ from the plan.',
    details: ['Use the same options as for plan. Exit 0: done, 1: refused or failed, and nothing was changed.'],
    takes: ['FILE'],
    options: {
      plan: { value: 'HASH', doc: 'the hash that plan printed', required: true },
      ...planOptions,
      note: { value: 'TEXT', doc: 'the reason, as the note of the change set (apply NAME)' },
      as: changingOptions.as,
    },
    example: 'catalogue.yaml --prune --plan 4f1c…',
    misspeltExit: 1,
    run: ({ arguments: positional, options }) => runPlan('apply', startedIn, positional.FILE!, options),
  },
  {
    words: 'drift',
    summary: 'Shows where the catalogue differs from FILE, who changed it and when. For a scheduled job.',
    details: ['Exit 0: no drift, 2: drift, 1: failed. Nothing is changed.'],
    takes: ['FILE'],
    options: planOptions,
    example: 'catalogue.yaml --prune --json',
    misspeltExit: 1,
    run: ({ arguments: positional, options }) => runPlan('drift', startedIn, positional.FILE!, options),
  },
];
