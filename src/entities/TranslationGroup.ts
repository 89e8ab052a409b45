/** A translation group that has texts: a view of them. */
import { Int, Key, Record, ToMany } from './fields.js';
import { Translation } from './Translation.js';

@Record({ table: 'translation_groups', doc: 'A translation group that has texts.' })
export class TranslationGroup {
  @Key('string', { doc: 'The group, as records name it.', max: 50, faces: ['graph', 'filter'] })
  translationGroup!: string;
  @Int({
    doc: 'Another whenever its texts are others; send it back as ifRevision.',
    faces: ['graph'],
  })
  revision!: number;

  @ToMany(() => Translation, 'translationGroup', { doc: 'Its texts.', faces: ['graph', 'filter'] })
  translations!: Translation[];
}
