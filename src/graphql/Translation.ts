/** Changes of translations. */
import { Translation } from '../entities/Translation.js';
import { setTranslations, translationInput } from '../services/translations.js';
import { loadRecords } from './loaders.js';
import { declareMutation, inputType } from './operations.js';

export function declareTranslation(): void {
  const text = inputType('TranslationInput', 'A text in one language.', translationInput());
  declareMutation('setTranslations', {
    doc: 'Makes these the texts of a translation group; others of the group are removed.',
    type: () => [Translation],
    arguments: {
      translationGroup: { type: () => String, doc: 'Group that records name as theirs.' },
      translations: { type: () => [text()], doc: 'All texts of the group.' },
    },
    resolve: async (_root, given, context, info) => {
      const keys = await setTranslations(context, given.translationGroup, given.translations);
      return loadRecords(context, info, Translation, 'translationId', keys);
    },
  });
}
