/** What changes do, in the sentences of the service: each with every value that it sets. */
import { useState } from 'react';
import { plural } from '../words';

interface SentencesProps {
  sentences: readonly { text: string; count: number }[];
  /** Nothing where this says it all. */
  title?: string;
}

const shownMax = 12;

export function Sentences({ sentences, title }: SentencesProps) {
  const [isWhole, setWhole] = useState(false);
  if (sentences.length === 1 && sentences[0]!.text === title) return null;
  const shown = isWhole ? sentences : sentences.slice(0, shownMax);
  return (
    <section aria-label="What it does">
      <ul className="sentences">
        {shown.map(({ text, count }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the changes
          <li key={index}>
            {text}
            {count > 1 && <span className="mute"> · {plural(count, 'change')}</span>}
          </li>
        ))}
      </ul>
      {shown.length < sentences.length && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          All {plural(sentences.length, 'sentence')}
        </button>
      )}
    </section>
  );
}
