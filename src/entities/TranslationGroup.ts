/** A translation group that has texts: a view of them. */
import { graphOnly, visible } from './description.js';
import { Int, Key, Record, ToMany } from './fields.js';
import { Translation } from './Translation.js';

@Record({
  table: 'translation_groups',
  doc: 'A translation group that has texts.',
  isOfCatalogue: true,
  faces: visible,
  isView: true,
})
export class TranslationGroup {
  @Key('string', 'Name of the group.', { max: 50 }) translationGroup!: string;
  @Int('Changes when the texts change. Send it as ifRevision to avoid overwriting other changes.', { faces: graphOnly })
  revision!: number;

  @ToMany(() => Translation, 'translationGroup', 'The texts of the group.') translations!: Translation[];
}
