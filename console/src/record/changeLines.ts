/** What was done to records as sentences; those that differ only in the record are one, with their number. */
import { actions, kindWords, linkName } from '../eventWords';
import { endDate } from '../grantEnd';
import { isOpening } from '../openingStates';
import type { Difference } from '../ui/Diff';
import { capital, nameAndMail } from '../words';
import { readableChanges, subjectTypeOf, type Version } from './versions';

/** A record, what was done to it, and the versions that this made. */
export interface Recorded {
  subjectType: string;
  action: string;
  /** Undefined of one that is gone. */
  name: string | undefined;
  versions: readonly Version[];
}

export interface ChangeLine {
  /** The same for all that are one line. */
  key: string;
  text: string;
  names: readonly string[];
  /** What of fields was before and is after, where the text does not say it. */
  changes: readonly Difference[];
}

/** Such as “Field work, north given to Clara as Technician until 1 Dec 2026”. */
interface Sentence {
  /** What each of several has its own of. */
  one: string;
  many: string;
  say: (what: string) => string;
  /** Fields that the sentence says. */
  says: readonly string[];
}

const after = (version: Version | undefined, field: string): unknown =>
  version?.changes.find((change) => change.field === field)?.after;

const before = (version: Version | undefined, field: string): unknown =>
  version?.changes.find((change) => change.field === field)?.before;

const untilOf = (version: Version | undefined): string => {
  const end = after(version, 'validUntil');
  return typeof end === 'string' ? ` until ${endDate(end)}` : '';
};

/** Of a mapping: whether it opens. */
function mappingSentence(by: string, action: string, version: Version | undefined): Sentence | undefined {
  const shared = { many: 'applications', says: ['state'] };
  const one = (version?.namesAfter ?? version?.namesBefore)?.application?.name ?? 'an application that is gone';
  if (action === 'delete') {
    const was = before(version, 'state');
    const isClosed = typeof was === 'string' && !isOpening(was);
    return {
      ...shared,
      one,
      say: (what) => (isClosed ? `${by}, ${what}: ${was}, removed` : `${by} no longer opens ${what}`),
    };
  }
  const state = after(version, 'state');
  if (typeof state !== 'string') return undefined;
  if (isOpening(state)) return { ...shared, one, say: (what) => `${by} opens ${what}` };
  return { ...shared, one, say: (what) => `${by}, ${what}: ${state}` };
}

function sentenceOf({ subjectType, action, versions: [version] }: Recorded): Sentence | undefined {
  const names = version?.namesAfter ?? version?.namesBefore;
  if (!names) return undefined;
  const isMade = action === 'create';
  if (subjectType === 'AccessScopeApplicationsMapper' && names.accessScope)
    return mappingSentence(names.accessScope.name, action, version);
  if (subjectType === 'AccessScopeTypeApplicationsMapper' && names.accessScopeType)
    return mappingSentence(`All of ${names.accessScopeType.name}`, action, version);
  if (subjectType === 'UserProfile' && (isMade || action === 'delete')) {
    const what = names.profile?.name ?? 'A profile that is gone';
    const role = names.role ? ` as ${names.role.name}` : '';
    return {
      one: names.user ? nameAndMail(names.user) : 'a user who is gone',
      many: 'people',
      say: (whom) => `${what} ${isMade ? 'given to' : 'removed from'} ${whom}${role}${isMade ? untilOf(version) : ''}`,
      says: ['roleId', 'validUntil'],
    };
  }
  if (subjectType === 'ProfileAccessScope' && (isMade || action === 'delete')) {
    const profile = names.profile?.name ?? 'a profile that is gone';
    return {
      one: names.accessScope?.name ?? 'an access scope that is gone',
      many: 'access scopes',
      say: (what) => `${what} ${isMade ? 'given to' : 'removed from'} ${profile}${isMade ? untilOf(version) : ''}`,
      says: ['validUntil'],
    };
  }
  return undefined;
}

const pluralKinds: Readonly<Record<string, string>> = {
  AccessScopeApplicationsMapper: 'mappings',
  AccessScopeTypeApplicationsMapper: 'mappings of types',
  ProfileAccessScope: 'scopes of profiles',
  UserProfile: 'grants',
  TranslationGroup: 'groups of texts',
};
const manyOf = (subjectType: string): string => pluralKinds[subjectType] ?? `${kindWords(subjectType)}s`;

const ofLinks = new Set(['createdBy', 'modifiedBy', 'createdDate', 'modifiedDate', 'revision']);

/**
 * In the order in which they first came.
 * @param isWhole false: there are more than these, so that a number is the least
 */
export function changeLines(recorded: readonly Recorded[], isWhole = true): ChangeLine[] {
  const parts = recorded.map((each) => {
    const { subjectType, action, name, versions } = each;
    const sentence = sentenceOf(each) ?? {
      one: name ?? capital(`${kindWords(subjectType)} that is gone`),
      many: manyOf(subjectType),
      // a name stays as it is written
      say: (what: string) => `${what === name ? what : capital(what)} ${actions[action] ?? action}`,
      says: [],
    };
    const changes = versions
      .flatMap(readableChanges)
      .filter(({ field }) => !sentence.says.includes(field) && !sentence.says.includes(`${field}Id`))
      .filter(({ field }) => !ofLinks.has(field));
    // each new record has fields of its own
    const isNew = action === 'create' && sentence.says.length === 0;
    const shared = isNew ? '' : JSON.stringify(changes);
    // which text it is says more than how many
    const isText = subjectType === 'Translation';
    const isSilent = action === 'update' && versions.length > 0 && sentence.says.length === 0 && changes.length === 0;
    return {
      sentence,
      changes,
      isNew,
      isSilent,
      key: `${subjectType} ${sentence.say(isText ? sentence.one : '…')} ${shared}`,
    };
  });
  // that its parts changed raises a record's revision
  const saying = parts.filter(({ isSilent }) => !isSilent);
  return [...Map.groupBy(saying.length > 0 ? saying : parts, ({ key }) => key)].map(([key, alike]) => {
    const [{ sentence, changes, isNew }] = alike as [(typeof alike)[number]];
    const names = alike.map((part) => part.sentence.one);
    const isOne = names.length === 1;
    const what = isOne
      ? sentence.one
      : `${isWhole ? '' : 'at least '}${names.length.toLocaleString('en')} ${sentence.many}`;
    return { key, text: sentence.say(what), names: isOne ? [] : names, changes: isNew && !isOne ? [] : changes };
  });
}

/** Of versions alone, such as in the history of one record. */
export const recordedOf = (version: Version): Recorded => {
  const subjectType = subjectTypeOf(version);
  return {
    subjectType,
    action: version.action,
    name: linkName(subjectType, version.namesAfter ?? version.namesBefore ?? {}) ?? capital(kindWords(subjectType)),
    versions: [version],
  };
};
