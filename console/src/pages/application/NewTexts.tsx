/** Texts of an application that is being made: its name and description, in languages that others have and in any that is added. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dropDrafts, putDrafts, useDrafts } from '../../drafts';
import { ask } from '../../graph';
import { usedLanguages } from '../../operations/generated/translations';
import type { Form } from '../../record/SettingsCard';
import { textDraft, textKey } from '../../textDraft';

interface NewTextsProps {
  name: string;
  /** Its group of translations; empty: none yet. */
  group: string;
  guid: string;
  form: Form;
}

const fields = ['name', 'description'] as const;

export function NewTexts({ name, group, guid, form }: NewTextsProps) {
  const [added, setAdded] = useState<string[]>([]);
  const [wanted, setWanted] = useState('');
  const drafts = useDrafts();
  const { data: used = [] } = useQuery({
    queryKey: ['languages'],
    queryFn: async ({ signal }) => {
      const { applications } = await ask(usedLanguages, {}, signal);
      return applications.nodes.flatMap(({ translations }) => translations.nodes.map((text) => text.languageCode));
    },
  });
  const drafted = drafts.flatMap(({ change: { translation } }) =>
    translation?.translationGroup === group ? translation.languageCode : [],
  );
  const languages = [...new Set([...used, ...drafted, ...added])].sort();
  const change = (fieldName: string, languageCode: string, text: string) => {
    // texts belong to a group: an own one, as long as none is named
    const translationGroup = group || `app-${guid}`;
    if (!group) form.set('translationGroup', translationGroup);
    const place = { translationGroup, fieldName, languageCode };
    if (text === '') dropDrafts([textKey(place)]);
    else putDrafts([textDraft({ ...place, subjectName: name }, null, text)]);
  };
  const textOf = (fieldName: string, languageCode: string): string => {
    const key = textKey({ translationGroup: group, fieldName, languageCode });
    return drafts.find((draft) => draft.key === key)?.change.translation?.to ?? '';
  };
  const add = () => {
    if (wanted.trim() === '') return;
    setAdded([...added, wanted.trim()]);
    setWanted('');
  };
  return (
    <section className="card" aria-label="Texts">
      <header>
        <h2>Texts</h2>
        <span className="grow" />
        <input
          className="input short"
          aria-label="Add a language"
          placeholder="Add a language"
          maxLength={35}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.nativeEvent.isComposing && add()}
        />
        <button type="button" className="button small" disabled={wanted.trim() === ''} onClick={add}>
          Add
        </button>
      </header>
      <ul className="new-texts">
        {languages.map((language) => (
          <li key={language}>
            <b>{language}</b>
            {fields.map((field) => (
              <input
                key={field}
                className="input"
                aria-label={`${field === 'name' ? 'Name' : 'Description'} in ${language}`}
                placeholder={field === 'name' ? name : String(form.values.description ?? 'Description')}
                maxLength={2_000}
                lang={language}
                dir="auto"
                value={textOf(field, language)}
                onChange={({ target }) => change(field, language, target.value)}
              />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
