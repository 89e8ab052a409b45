/** A translation group that has texts: a view of them. */
import { Int, Key, Record, ToMany } from './fields.js';
import { Translation } from './Translation.js';

@Record({ table: 'translation_groups', doc: 'A translation group that has texts.' })
export class TranslationGroup {
  @Key('string', { doc: 'Name of the group.', max: 50, faces: ['graph', 'filter'] })
  translationGroup!: string;
  @Int({
    doc: 'Changes when the texts change. Send it as ifRevision to avoid overwriting other changes.',
    faces: ['graph'],
  })
  revision!: number;

  @ToMany(() => Translation, 'translationGroup', { doc: 'The texts of the group.', faces: ['graph', 'filter'] })
  translations!: Translation[];
}
