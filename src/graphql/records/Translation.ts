/** Changes of translations. */
import { Translation } from '../../entities/Translation.js';
import { setTranslations, translationInput } from '../../services/catalogue/translations.js';
import { loadRecords } from '../resolving/loaders.js';
import { declareChange, ifRevision, inputType } from '../schema/declare.js';

export function declareTranslation(): void {
  const text = inputType('TranslationInput', 'A text in one language.', translationInput());
  declareChange('setTranslations', {
    doc: 'Makes these the texts of a translation group; others of the group are removed.',
    type: () => [Translation],
    arguments: {
      translationGroup: { type: () => String, doc: 'Group that records name as theirs.' },
      translations: { type: () => [text()], doc: 'All texts of the group.' },
      ifRevision: {
        ...ifRevision,
        doc: 'The revision of the group that was read, 0 for one without texts: CONFLICT when its texts are others now.',
      },
    },
    items: ({ translations }) => translations.length,
    apply: (context, given) => setTranslations(context, given.translationGroup, given.translations, given.ifRevision),
    answer: (keys, _given, context, info) => loadRecords(context, info, Translation, 'translationId', keys),
  });
}
