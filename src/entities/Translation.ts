/** A text of a translation group in one language. */
import { everywhere, inside, nowhere } from './description.js';
import { Key, Record, Text } from './fields.js';
import { Managed } from './Managed.js';

@Record({
  table: 'translations',
  doc: 'A text of a translation group in one language.',
  unique: [['translationGroup', 'fieldName', 'languageCode']],
  isOfCatalogue: true,
  isBesideAccess: true,
  faces: everywhere,
})
export class Translation extends Managed {
  @Key('integer', 'Number of the translation.', { faces: nowhere }) translationId!: number;
  @Text('The translation group, to which records refer.', { max: 50, faces: inside }) translationGroup!: string;
  @Text('The translated field.', { max: 50, create: 'required' }) fieldName!: string;
  @Text('Language, such as `en` or `pt-BR`.', { max: 35, create: 'required' }) languageCode!: string;
  @Text('The text.', { create: 'required' }) translatedText!: string;
}
