/** The note of a change set, which the history shows. */
import { ChangeSet } from '../../entities/ChangeSet.js';
import { badInput } from '../../errors.js';
import { findProblem } from './input.js';

/** Throws BAD_USER_INPUT. */
export function requireNote(note: string | null): void {
  const problem = note === null ? undefined : findProblem(ChangeSet, 'note', note);
  if (problem) throw badInput({ note: [`The note ${problem}.`] });
}
