/** A text of a translation group in one language. */
import { everywhere, inside } from './description.js';
import { Key, Record, Text } from './fields.js';
import { Managed } from './Managed.js';

@Record({
  table: 'translations',
  doc: 'A text of a translation group in one language.',
  unique: [['translationGroup', 'fieldName', 'languageCode']],
})
export class Translation extends Managed {
  @Key('integer', { doc: 'Number of the translation.' }) translationId!: number;
  @Text({ doc: 'The translation group, to which records refer.', max: 50, faces: inside }) translationGroup!: string;
  @Text({ doc: 'The translated field.', max: 50, create: 'required', faces: everywhere }) fieldName!: string;
  @Text({ doc: 'Language, such as `en` or `pt-BR`.', max: 35, create: 'required', faces: everywhere })
  languageCode!: string;
  @Text({ doc: 'The text.', create: 'required', faces: everywhere }) translatedText!: string;
}
