/** Texts of the translation groups. */
import { fieldOf } from '../../../entities/description.js';
import { Translation } from '../../../entities/Translation.js';
import { setTexts, setTranslations, type TranslationCell } from '../../../services/catalogue/translations.js';
import { numbered, type Said } from '../words.js';
import { argument, type Kind, onAccess, plainTitle } from './kind.js';

const effect = { ...onAccess, isBesideAccess: () => true };

/** One text as a cell of a grid. */
const translation: Kind<TranslationCell> = {
  name: 'translation',
  family: 'translation',
  input: {
    type: 'TranslationChangeInput',
    doc: 'A change of one translation: the text that was read and the new text.',
    does: 'Adds, changes or removes a translation.',
    fields: [
      argument('translationGroup', fieldOf(Translation, 'translationGroup'), { required: true }),
      argument('fieldName', fieldOf(Translation, 'fieldName'), { required: true }),
      argument('languageCode', fieldOf(Translation, 'languageCode'), { required: true }),
      argument('from', fieldOf(Translation, 'translatedText'), {
        doc: 'The text that was read, or null if there was none. If the current text differs, the request fails with CONFLICT.',
      }),
      argument('to', fieldOf(Translation, 'translatedText'), {
        doc: 'The new text, or null to remove the translation.',
      }),
    ],
  },
  does: {
    set: setTexts,
    keyOf: ({ translationGroup, fieldName, languageCode }) =>
      JSON.stringify([translationGroup, fieldName, languageCode]),
    groupOf: () => '',
    writes: () => undefined,
  },
  title: {
    differsIn: [],
    sentence(_words, [first]) {
      const { translationGroup, fieldName, languageCode, from, to } = first!;
      const what = `${fieldName} of ${translationGroup} in ${languageCode}`;
      const before = typeof from === 'string' ? ` (before: “${from}”)` : '';
      return to === null || to === undefined
        ? `Remove the text ${what}${before}`
        : `Set the text ${what} to “${to}”${before}`;
    },
    summary: (_words, cells) => `Change ${numbered(cells.length, 'text')}`,
    isJoined: true,
    makes: () => null,
  },
  effect,
  ownedBy: null,
  endingAt: null,
};

interface TextList {
  translationGroup: string;
  translations: object[];
  ifRevision?: number | null;
}

const said: Said = { verb: 'set', noun: 'texts of', subject: 'translationGroup' };
const setTranslationsKind: Kind<TextList> = {
  name: 'setTranslations',
  family: 'setTranslations',
  input: null,
  does: {
    apply: (context, { translationGroup, translations: texts, ifRevision }) =>
      setTranslations(context, translationGroup, texts, ifRevision),
    size: ({ translations: texts }) => texts.length,
  },
  title: {
    ...plainTitle(said),
    summary: (_words, values) => `Set the texts of ${numbered(values.length, 'group')}`,
  },
  effect,
  ownedBy: null,
  endingAt: null,
};

export const translations: Kind[] = [translation, setTranslationsKind];
