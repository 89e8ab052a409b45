/** What all commands have that change something: a note, the person who runs them, and a dry run. */
import type { Context } from '../context.js';
import type { ParsedArguments } from './command.js';
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

const findUsers = `select user_guid from users where user_guid::text = lower($1)
  or lower(email) = lower($1) or lower(concat_ws(' ', first_name, last_name)) = lower($1) order by user_guid limit 2`;

/** Returns the context with the note, and with the user of `--as` as the author. A name that no single user has is added to the note. */
export async function withAuthor(context: Context, { note, as }: Options): Promise<Context> {
  const { requireNote } = await import('../services/records/changeNote.js');
  const noted = (text: string | undefined): Context => {
    requireNote(text ?? null);
    return { ...context, ...(text !== undefined && { note: text }) };
  };
  if (as === undefined) return noted(note);
  const [user, another] = await context.sql.rows<{ user_guid: string }>(findUsers, [as]);
  if (!user || another) {
    notice(`${another ? 'Several users are' : 'No user is'} called ${as}: the note has the name.`);
    return noted(note === undefined ? `by ${as}` : `${note} (by ${as})`);
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
