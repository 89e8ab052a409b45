/** A record's texts by language; each can be changed here, and is reviewed as everything is. */
import { useId } from 'react';
import { dropDrafts, putDrafts, useDrafts } from '../drafts';
import { useFaults } from '../faults';
import { ask } from '../graph';
import { textsOfGroup } from '../operations/generated/translations';
import { useMay } from '../session';
import { textDraft, textKey } from '../textDraft';
import { Empty } from '../ui/Empty';
import { Fault } from '../ui/Fault';
import { PartList, useParts } from '../ui/PartList';
import { fieldWords } from '../words';

interface Text {
  fieldName: string;
  languageCode: string;
  translatedText: string;
}

interface TranslatedRecord {
  name: string;
  translationGroup: string | null;
  translations: { totalCount: number };
}

/** The tab of a record's page. */
export const textsTab = (record: TranslatedRecord) => ({
  key: 'texts',
  label: 'Translations',
  count: record.translations.totalCount,
  content: () =>
    record.translationGroup ? (
      <Texts name={record.name} translationGroup={record.translationGroup} />
    ) : (
      <Empty icon="translate" title="It has no group of translations">
        Name one in the settings; then its texts can be translated.
      </Empty>
    ),
});

const textsInPart = 100;

function Texts({ name, translationGroup }: { name: string; translationGroup: string }) {
  const parts = useParts(['texts of', translationGroup], async (after, signal) => {
    const answer = await ask(textsOfGroup, { translationGroup, first: textsInPart, after }, signal);
    return answer.translationGroups.nodes[0]?.translations;
  });
  return (
    <section className="card" aria-label="Translations">
      <PartList
        parts={parts}
        empty={
          <Empty icon="translate" title="Nothing is translated yet">
            In Translations, every record is shown beside its languages.
          </Empty>
        }
      >
        {(texts) => (
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Language</th>
                <th scope="col">Text</th>
              </tr>
            </thead>
            <tbody>
              {texts.map((text) => (
                <TextRow
                  key={`${text.fieldName} ${text.languageCode}`}
                  text={text}
                  translationGroup={translationGroup}
                  subjectName={name}
                />
              ))}
            </tbody>
          </table>
        )}
      </PartList>
    </section>
  );
}

function TextRow({ text, ...of }: { text: Text; translationGroup: string; subjectName: string }) {
  const mayChange = useMay('admin:write');
  const id = useId();
  const { fieldName, languageCode, translatedText } = text;
  const place = { ...of, fieldName, languageCode };
  const key = textKey(place);
  const draft = useDrafts().find((each) => each.key === key);
  const fault = useFaults(draft).get('to');
  const change = (next: string) =>
    next === translatedText ? dropDrafts([key]) : putDrafts([textDraft(place, translatedText, next || null)]);
  return (
    <tr>
      <td>{fieldWords(fieldName)}</td>
      <td>{languageCode}</td>
      <td>
        <input
          className="input"
          aria-label={`${fieldWords(fieldName)} in ${languageCode}`}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault && id}
          readOnly={!mayChange}
          lang={languageCode}
          dir="auto"
          value={draft ? (draft.change.translation?.to ?? '') : translatedText}
          onChange={({ target }) => change(target.value)}
        />
        <Fault id={id} text={fault} />
      </td>
    </tr>
  );
}
