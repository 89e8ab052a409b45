/** Suggests existing values of a field, most frequent first. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { permit } from '../../services/permit.js';
import { containsWords, wordsOf } from '../../services/read/foldedText.js';

const columns = {
  APP_TYPE: ['applications', 'app_type'],
  RENDERING_MODE: ['applications', 'rendering_mode'],
  LINK_TYPE: ['applications', 'link_type'],
  DEPARTMENT: ['users', 'department'],
  JOB_TITLE: ['users', 'job_title'],
} as const;
export type SuggestionField = keyof typeof columns;

export const suggestionsMax = 50;

interface Suggestion {
  value: string;
  /** Records that have the value. */
  count: number;
}

/** @param text the value must contain every word of it. Throws BAD_USER_INPUT. */
export async function listSuggestions(
  context: Context,
  field: SuggestionField,
  text: string,
  first: number,
): Promise<Suggestion[]> {
  permit(context, 'admin:read');
  if (first < 1 || first > suggestionsMax) throw badInput({ first: [`Must be from 1 to ${suggestionsMax} values.`] });
  const [table, column] = columns[field];
  const values: unknown[] = [first];
  const contains = containsWords(['value'], wordsOf(text), (value) => `$${values.push(value)}`);
  // many records have few values, so they are counted before they are compared
  return context.reads.rows<Suggestion>(
    `select value, count from (select ${column} as value, count(*)::int as count from ${table} where ${column} <> '' group by 1) counted
     where ${contains} order by count desc, value collate "C" limit $1::int`,
    values,
  );
}
