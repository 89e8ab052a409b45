/** An application's texts by language; each can be changed here, and is reviewed as everything is. */
import { dropDrafts, putDrafts, useDrafts } from '../../drafts';
import { useMay } from '../../session';
import { textDraft, textKey } from '../../textDraft';
import { Empty } from '../../ui/Empty';
import { fieldWords } from '../../words';
import type { ApplicationRecord } from '../Application';

export function Texts({ application }: { application: ApplicationRecord }) {
  const mayChange = useMay('admin:write');
  const drafts = useDrafts();
  const { translationGroup, translations } = application;
  if (!translationGroup)
    return (
      <Empty icon="translate" title="It has no group of translations">
        Name one in the settings; then its texts can be translated.
      </Empty>
    );
  if (translations.nodes.length === 0)
    return (
      <Empty icon="translate" title="Nothing is translated yet">
        In Translations, every application is shown beside its languages.
      </Empty>
    );
  return (
    <section className="card" aria-label="Translations">
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Language</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {translations.nodes.map(({ fieldName, languageCode, translatedText }) => {
            const place = { translationGroup, fieldName, languageCode };
            const key = textKey(place);
            const draft = drafts.find((each) => each.key === key);
            const change = (text: string) =>
              text === translatedText
                ? dropDrafts([key])
                : putDrafts([textDraft({ ...place, subjectName: application.name }, translatedText, text || null)]);
            return (
              <tr key={key}>
                <td>{fieldWords(fieldName)}</td>
                <td>{languageCode}</td>
                <td>
                  <input
                    className="input"
                    aria-label={`${fieldWords(fieldName)} in ${languageCode}`}
                    readOnly={!mayChange}
                    value={draft ? (draft.change.translation?.to ?? '') : translatedText}
                    onChange={({ target }) => change(target.value)}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
