/** Which language is looked at: one that is there, or a new one; and whether only what lacks it is shown. */
import { type FormEvent, useState } from 'react';
import { useMay } from '../../session';

interface LanguagesProps {
  languages: readonly string[];
  language: string | undefined;
  isMissing: boolean;
  onLanguage: (language: string) => void;
  onMissing: (isMissing: boolean) => void;
}

export function Languages({ languages, language, isMissing, onLanguage, onMissing }: LanguagesProps) {
  const mayChange = useMay('admin:write');
  const [added, setAdded] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (added.trim() === '') return;
    onLanguage(added.trim());
    setAdded('');
  };
  return (
    <>
      <label className="select">
        <span className="only-heard">Language</span>
        <select value={language ?? ''} onChange={({ target }) => onLanguage(target.value)}>
          <option value="">Any language</option>
          {languages.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {language && (
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={isMissing}
            checked={isMissing}
            onChange={({ target }) => onMissing(target.checked)}
          />
          only what lacks {language}
        </label>
      )}
      {mayChange && (
        <form className="date" onSubmit={add}>
          <input
            className="input"
            aria-label="Another language"
            placeholder="Add a language"
            maxLength={35}
            value={added}
            onChange={({ target }) => setAdded(target.value)}
          />
        </form>
      )}
    </>
  );
}
