/** Applications, access scopes, their types, mappings and translations in the graph. */
import { Int } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { describe } from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import {
  accessScopeInput,
  accessScopeTypeInput,
  createAccessScope,
  createAccessScopeType,
  updateAccessScope,
  updateAccessScopeType,
} from '../../services/catalogue/accessScopes.js';
import { applicationInput, createApplication, updateApplication } from '../../services/catalogue/applications.js';
import {
  createMappings,
  deleteMappings,
  lockedMappingInput,
  type MappingKind,
  scopeMappings,
  typeMappings,
  updateMappings,
} from '../../services/catalogue/mappings.js';
import { setTranslations, translationInput } from '../../services/catalogue/translations.js';
import { loadRecords } from '../resolving/loaders.js';
import { type Argument, declareChange, ifRevision, inputType, under } from '../schema/declare.js';
import { declareChanges, declareDeactivation, keyArgument, type RecordOperations } from '../schema/recordMutations.js';

/** Changes of applications. */

export const declareApplication = (): void =>
  declareChanges({
    record: Application,
    key: 'applicationGuid',
    fields: applicationInput,
    create: createApplication,
    update: updateApplication,
  });

/** Changes of access scopes. */

const accessScopeOperations: RecordOperations = {
  record: AccessScope,
  key: 'accessScopeGuid',
  fields: accessScopeInput,
  create: createAccessScope,
  update: updateAccessScope,
};

export function declareAccessScope(): void {
  declareChanges(accessScopeOperations);
  declareDeactivation(
    accessScopeOperations,
    { isActive: false },
    'Takes an access scope out of use: it is in no token any more.',
  );
}

/** Changes of access scope types. */

const accessScopeTypeOperations: RecordOperations = {
  record: AccessScopeType,
  key: 'accessScopeTypeGuid',
  fields: accessScopeTypeInput,
  create: createAccessScopeType,
  update: updateAccessScopeType,
};

export function declareAccessScopeType(): void {
  declareChanges(accessScopeTypeOperations);
  declareDeactivation(accessScopeTypeOperations, { isActive: false }, 'Takes an access scope type out of use.');
}

/** Changes of translations. */

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

/** Changes of the mappings of an application, to access scopes and to access scope types: in bulk, all or nothing. */

export function declareMappers(): void {
  declareKind(scopeMappings);
  declareKind(typeMappings);
}

const ifRevisions: Argument = {
  type: () => [Int],
  doc: 'The revisions that were read, in the order of the guids: what somebody else changed since is answered with CONFLICT.',
  nullable: true,
};

function declareKind(kind: MappingKind): void {
  const { name, primaryKey } = describe(kind.mapper);
  const applicationGuid = keyArgument(Application, 'applicationGuid');
  const declareBulk = (verb: 'Create' | 'Update', changeMappings: typeof updateMappings, doc: string) => {
    const mode = verb === 'Create' ? 'create' : 'update';
    const item = inputType(`${name}${verb}Input`, `A mapping to an ${kind.what}.`, lockedMappingInput(kind, mode));
    declareChange(`${mode}${name}s`, {
      doc,
      type: () => [kind.mapper],
      arguments: { applicationGuid, items: { type: () => [item()], doc: 'The mappings.' } },
      items: ({ items }) => items.length,
      apply: (context, given) => {
        const fields = lockedMappingInput(kind, mode);
        return under('items', changeMappings(context, kind, given.applicationGuid, given.items, fields));
      },
      answer: (keys, _given, context, info) => loadRecords(context, info, kind.mapper, primaryKey.name, keys),
    });
  };
  declareBulk('Create', createMappings, `Maps an application to several ${kind.what}s, all or none.`);
  declareBulk('Update', updateMappings, 'Changes several mappings of an application, all or none.');
  const { type, doc } = keyArgument(kind.target, kind.guid);
  const guids = `${kind.guid}s`;
  declareChange(`delete${name}s`, {
    doc: 'Removes several mappings of an application, all or none, and answers their numbers.',
    type: () => [Int],
    arguments: { applicationGuid, [guids]: { type: () => [type()], doc }, ifRevisions },
    items: (given) => given[guids].length,
    apply: (context, given) => {
      const items = (given[guids] as string[]).map((guid, index) => ({
        [kind.guid]: guid,
        ifRevision: given.ifRevisions?.[index],
      }));
      const fields = lockedMappingInput(kind, 'delete');
      return under(guids, deleteMappings(context, kind, given.applicationGuid, items, fields), kind.guid);
    },
  });
}
