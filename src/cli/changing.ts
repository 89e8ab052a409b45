/** What all commands have that change something: a note, the person who runs them, and a dry run. */
import type { Context } from '../context.js';
import { parseGuid } from '../entities/valueForms.js';
import { OperatorError } from '../errors.js';
import { nameKey } from '../services/nameKey.js';
import { type ParsedArguments, UsageError } from './command.js';
import { notice, withContext } from './session.js';

type Options = ParsedArguments['options'];

const asOption = {
  as: { value: 'NAME', doc: 'who runs the command: guid, e-mail address or full name of a user, or any other name' },
};
export const changingOptions = {
  note: { value: 'TEXT', doc: 'the reason, as the note of the change set' },
  ...asOption,
  'dry-run': { doc: 'shows what would be done, and changes nothing' },
};

const findUsers = `select user_guid from users where user_guid = $2::uuid or ${nameKey('email')} = ${nameKey('$1::text')}
  or ${nameKey("concat_ws(' ', first_name, last_name)")} = ${nameKey('$1::text')} order by user_guid limit 2`;

/**
 * Returns the context with the note, and with the user of `--as` as the author. A name that no single user has is added to the note.
 * @param hasNote false: what the command does has no note, so that such a name is refused
 */
export async function withAuthor(context: Context, { note, as }: Options, hasNote = true): Promise<Context> {
  const { requireNote } = await import('../services/records/changeNote.js');
  const noted = (text: string | undefined): Context => {
    requireNote(text ?? null);
    return { ...context, ...(text !== undefined && { note: text }) };
  };
  if (as === undefined) return noted(note);
  const name = as.trim().replace(/\s{1,200}/g, ' ');
  if (name === '') throw new UsageError('--as needs a name.');
  const [user, another] = await context.sql.rows<{ user_guid: string }>(findUsers, [name, parseGuid(name) ?? null]);
  if (!user || another) {
    const problem = `${another ? 'Several users are' : 'No user is'} called ${name}`;
    if (!hasNote) throw new OperatorError(`${problem}, and only a user is recorded here.`);
    notice(`${problem}: the note has the name.`);
    return noted(note === undefined ? `by ${name}` : `${note} (by ${name})`);
  }
  const { systemCaller } = await import('../services/tokens/caller.js');
  return { ...noted(note), caller: systemCaller(user.user_guid) };
}

/** Runs work that changes something as the service itself, or tries it. Secrets that a dry run made must not be printed: they are worth nothing. */
export function withChanges(
  options: Options,
  work: (context: Context) => Promise<void>,
  appOptions: Parameters<typeof withContext>[1] = {},
): Promise<void> {
  return withContext(async (context) => {
    const own = await withAuthor(context, options);
    if (options['dry-run'] === undefined) return work(own);
    const { dryRun } = await import('../services/records/changeOrTry.js');
    await dryRun(own, 'admin:security', work);
    notice('This was a dry run: nothing was changed.');
  }, appOptions);
}
