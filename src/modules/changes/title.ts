/** Says in sentences what changes do: with every field that an approver decides about, and names in the place of ids. */
import type { Context } from '../../context.js';
import { withoutTurns } from '../../entities/valueForms.js';
import { calledName } from '../../services/fullName.js';
import { type Change, kindNamed, readChange } from './kinds/all.js';
import { joinedMax, numbered, preconditions, readLabels, type Words } from './words.js';

const titleCharactersMax = 300;

interface Sentence {
  text: string;
  /** How many changes it describes. */
  count: number;
}

/** A sentence for all changes that differ only in their subject, in the order of the changes. */
export async function sentencesOf(context: Context, sent: readonly object[]): Promise<Sentence[]> {
  const changes = sent.map(readChange);
  const words = await wordsFor(context, changes);
  return alike(changes).map((group) => ({ text: sentence(words, group), count: group.length }));
}

/** The title of changes, which describes those of the most frequent kind. */
export async function titleOf(context: Context, sent: readonly object[]): Promise<string> {
  const changes = sent.map(readChange);
  const groups = [...Map.groupBy(changes, ({ name }) => kindNamed(name).family).values()].sort(
    (one, other) => other.length - one.length,
  );
  const [first, ...others] = groups;
  const rest = others.reduce((sum, group) => sum + group.length, 0);
  const ending = rest > 0 ? `, and ${numbered(rest, 'other change')}` : '';
  const text = describeGroup(await wordsFor(context, changes), first!);
  return `${shorten(text, titleCharactersMax - ending.length)}${ending}`;
}

/** The title of a request for access; undefined if the person or the application is gone. */
export async function titleOfRequest(
  { sql }: Context,
  userGuid: string,
  applicationGuid: string,
): Promise<string | undefined> {
  const [row] = await sql.rows<{ title: string }>(
    `select left(coalesce(${calledName('u.')}, u.user_guid::text)
       || ' requests ' || a.name, ${titleCharactersMax}) as title
     from applications a, users u where a.application_guid = $1::uuid and u.user_guid = $2::uuid`,
    [applicationGuid, userGuid],
  );
  return row && withoutTurns(row.title);
}

/** With the names of the records that the changes refer to, or make. @param others changes that make records, too */
export async function wordsFor(
  context: Context,
  changes: readonly Change[],
  others: readonly Change[] = [],
): Promise<Words> {
  const makers = others.filter(({ name, value }) => kindNamed(name).title.makes(value));
  const all = [...changes, ...makers];
  const labels = await readLabels(
    context,
    all.map(({ value }) => value),
    all.flatMap(({ name, value }) => kindNamed(name).title.makes(value) ?? []),
  );
  return { config: context.config, labels };
}

/** Such as “Give IT auditor to 1,326 people as Deputy until 24 February 2027”. @param group changes of one family */
export function describeGroup(words: Words, group: readonly Change[]): string {
  const groups = alike(group);
  const { title } = kindNamed(group[0]!.name);
  if (groups.length === 1 || (title.isJoined && groups.length <= joinedMax))
    return groups.map((each) => sentence(words, each)).join('; ');
  return withoutTurns(
    title.summary(
      words,
      group.map(({ value }) => value),
    ),
  );
}

/** Changes that one sentence describes: they differ only in the people, the applications or the record. */
function alike(changes: readonly Change[]): Change[][] {
  const keyOf = ({ name, value }: Change): string => {
    const { family, title } = kindNamed(name);
    const rest = Object.entries(value).filter(
      ([field]) => !preconditions.has(field) && !title.differsIn.includes(field),
    );
    return JSON.stringify([family, rest.sort(([one], [other]) => (one < other ? -1 : 1))]);
  };
  return [...Map.groupBy(changes, keyOf).values()];
}

/** @param group changes that are alike */
const sentence = (words: Words, group: readonly Change[]): string =>
  withoutTurns(
    kindNamed(group[0]!.name).title.sentence(
      words,
      group.map(({ value }) => value),
    ),
  );

const shorten = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
};
