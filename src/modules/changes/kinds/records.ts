/** Creating, changing, deactivating and deleting records. */
import { describe } from '../../../entities/description.js';
import {
  accessScopeChanges,
  accessScopeTypeChanges,
  applicationChanges,
} from '../../../services/catalogue/recordChanges.js';
import { profileChanges, roleChanges, userChanges } from '../../../services/people/recordChanges.js';
import type { RecordArguments, RecordChanges, RecordVerb } from '../../../services/records/recordChanges.js';
import { type ChangeFields, type Said, wordsIn } from '../words.js';
import { type Kind, plainTitle } from './kind.js';

function recordKind({ record, key, by }: RecordChanges, verb: RecordVerb): Kind<RecordArguments> {
  const { name: noun, fields, isBesideAccess: isBeside } = describe(record);
  const name = `${verb}${noun}`;
  const isNew = verb === 'create';
  const said: Said = {
    verb,
    noun: wordsIn(noun),
    ...(isNew ? { subject: null, newName: nameOfNew, ownKey: key } : { subject: key }),
  };
  const isOfFields = (input: object, test: (field: (typeof fields)[number]) => boolean) =>
    Object.keys(input).every((each) => fields.some((field) => field.name === each && test(field)));
  return {
    name,
    family: name,
    input: null,
    does: { apply: by[verb]!, size: () => 1 },
    title: {
      ...plainTitle(said, isNew ? [] : [key]),
      makes({ input = {} }) {
        const id = (input as ChangeFields)[key];
        const newName = isNew ? nameOfNew({ input }) : undefined;
        return newName && typeof id === 'string' ? { field: key, key: id, name: newName } : null;
      },
    },
    effect: {
      isBesideAccess: ({ input = {} }) =>
        isBeside ||
        // a new record is linked to nothing yet; a field that is not known here can touch access
        (isNew && isOfFields(input, () => true)) ||
        (verb === 'update' && isOfFields(input, (field) => field.isBesideAccess === true)),
      putsOutOfUse: ({ input }) => verb === 'deactivate' || (input as ChangeFields | undefined)?.isActive === false,
      subject: () => '',
    },
    ownedBy: null,
    endingAt: null,
  };
}

/** The name of a record that a change makes. */
function nameOfNew({ input }: ChangeFields): string | undefined {
  const { name, firstName, lastName, email } = (input ?? {}) as ChangeFields;
  const person = [firstName, lastName].filter(Boolean).join(' ');
  return [name, person, email].find((each): each is string => typeof each === 'string' && each !== '');
}

export const records: Kind[] = [
  accessScopeChanges,
  accessScopeTypeChanges,
  applicationChanges,
  profileChanges,
  roleChanges,
  userChanges,
].flatMap((changes) => (Object.keys(changes.by) as RecordVerb[]).map((verb) => recordKind(changes, verb)));
