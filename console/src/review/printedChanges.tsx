/** A review of changes for the printer: what they do in sentences, who gains and loses by them, and each change. */
import type { Draft } from '../drafts';
import { ask } from '../graph';
import { effectPeople, effectProfiles } from '../operations/generated/effect';
import type { TryChangesMutation } from '../operations/generated/graph';
import { readToEnd } from '../readToEnd';
import { Printed, PrintedTable } from '../ui/printing';
import { fieldWords, fullName, plural, valueWords } from '../words';
import { thingsWords } from './Effect';
import { type Counted, outcomeWords } from './outcomes';

type Effect = NonNullable<NonNullable<TryChangesMutation['applyChanges']>['effect']>;

interface PrintedChangesProps {
  title: string;
  note: string;
  effect: Effect;
  drafts: readonly Draft[];
  counted: Counted | undefined;
}

const becomes = ({ from, to, fields, words }: Draft): string => {
  if (words) return words.join(', ');
  const changed = (fields ?? []).map(
    ({ field, before, after }) => `${fieldWords(field)}: ${valueWords(before)} → ${valueWords(after)}`,
  );
  if (!from && !to) return changed.join('; ');
  // one field is what the two words say
  return [`${from} → ${to}`, ...(changed.length > 1 ? changed : [])].join('; ');
};

export async function printedChanges(props: PrintedChangesProps, noted: (count: number) => void) {
  const { title, note, effect, drafts, counted } = props;
  const { effectId, gains, loses, sentences } = effect;
  const people = async (isGain: boolean) =>
    readToEnd(async (page) => {
      const { gains, loses } = (await ask(effectPeople, { ...page, effectId, isGain, text: null })).effect;
      return (gains ?? loses)?.people;
    }, noted);
  const profiles = await readToEnd(async (page) => (await ask(effectProfiles, { ...page, effectId })).effect.groups);
  const [gaining, losing] = [gains.users > 0 ? await people(true) : [], loses.users > 0 ? await people(false) : []];
  const facts = [
    note ? `Note: ${note}` : undefined,
    `${plural(gains.users, 'person gains', 'people gain')} access; ${plural(loses.users, 'person loses', 'people lose')} access. Nothing is saved yet.`,
  ];
  return (
    <Printed title={title} facts={facts}>
      {sentences && sentences.length > 0 && (
        <>
          <h2>What it does</h2>
          <ul>
            {sentences.map(({ text, count }) => (
              <li key={text}>
                {text}
                {count > 1 && ` · ${plural(count, 'change')}`}
              </li>
            ))}
          </ul>
        </>
      )}
      {profiles.length > 0 && (
        <>
          <h2>By profile</h2>
          <PrintedTable
            heads={['Profile', 'Gain', 'Lose']}
            rows={profiles.map(({ label, gains, loses }) => [label, sumWords(gains), sumWords(loses)])}
          />
        </>
      )}
      <h2>{plural(drafts.length, 'change')}</h2>
      <PrintedTable
        heads={['Record', 'What', 'Change', 'People']}
        rows={drafts.map((draft) => [
          [draft.subject.name, draft.subject.hint].filter(Boolean).join(', '),
          draft.label,
          becomes(draft),
          (counted && outcomeWords(draft, counted.outcomes.get(draft.key))) ?? '',
        ])}
      />
      {gaining.length > 0 && <People words={plural(gaining.length, 'person gains', 'people gain')} people={gaining} />}
      {losing.length > 0 && <People words={plural(losing.length, 'person loses', 'people lose')} people={losing} />}
    </Printed>
  );
}

const sumWords = (sums: Parameters<typeof thingsWords>[0]): string =>
  sums.users > 0 ? `${plural(sums.users, 'person', 'people')}: ${thingsWords(sums)}` : '';

interface Person {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  department: string | null;
}

const People = ({ words, people }: { words: string; people: readonly Person[] }) => (
  <>
    <h2>{words} access</h2>
    <PrintedTable
      heads={['Name', 'E-mail', 'Department']}
      rows={people.map((person) => [fullName(person), person.email ?? '', person.department ?? ''])}
    />
  </>
);
