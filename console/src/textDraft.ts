/** Drafts of translated texts. */
import type { Draft } from './drafts';
import { fieldWords, valueWords } from './words';

interface TextPlace {
  translationGroup: string;
  fieldName: string;
  languageCode: string;
}

export const textKey = ({ translationGroup, fieldName, languageCode }: TextPlace): string =>
  `text ${JSON.stringify([translationGroup, fieldName, languageCode])}`;

/** `from` as it was read, null for none; `to` as it is wanted. */
export function textDraft(
  { subjectName, ...place }: TextPlace & { subjectName: string },
  from: string | null,
  to: string | null,
): Draft {
  return {
    key: textKey(place),
    subject: { kind: 'texts', id: place.translationGroup, name: `Texts of ${subjectName}` },
    label: `${fieldWords(place.fieldName)}, ${place.languageCode}`,
    from: valueWords(from),
    to: valueWords(to),
    sign: 'change',
    change: { translation: { ...place, from, to } },
  };
}
