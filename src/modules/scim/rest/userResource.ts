/** Users in SCIM's form, and the fields that a PUT, POST or PATCH sets (RFC 7643 §4.1, RFC 7644 §3.5). */
import { startOf } from '../../../entities/valueForms.js';
import { isJsonObject, type JsonObject } from '../../../jsonObject.js';
import { scimFault } from '../conditions.js';
import { clearedFields, type ProvisionedUser, type UserFields } from '../users.js';
import { type Contact, changeContact, isSameType, type Op, readsAs } from './contacts.js';
import { type AttributePath, parsePath } from './filter.js';
import { enterpriseSchema, membersOf, requireMembers } from './names.js';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

export function userResource(user: ProvisionedUser, location: string): JsonObject {
  const { firstName, lastName, title: honorificPrefix } = user;
  const formatted = [honorificPrefix, firstName, lastName].filter(Boolean).join(' ');
  const name = { formatted, familyName: lastName, givenName: firstName, honorificPrefix };
  const contact = (name: string) => {
    const stored = contactOf(user, contacts[name]!);
    return stored && [{ ...stored, primary: true }];
  };
  return withoutNulls({
    schemas: [userSchema, ...(user.department === null ? [] : [enterpriseSchema])],
    id: user.userGuid,
    externalId: user.idpid,
    userName: user.shownName,
    name: formatted === '' ? null : withoutNulls(name),
    displayName: [firstName, lastName].filter(Boolean).join(' ') || user.shownName,
    title: user.jobTitle,
    preferredLanguage: user.languagePreference,
    emails: contact('emails'),
    phoneNumbers: contact('phonenumbers'),
    active: !user.isBlocked,
    [enterpriseSchema]: user.department === null ? null : { department: user.department },
    meta: {
      resourceType: 'User',
      created: user.createdDate,
      lastModified: user.modifiedDate ?? user.createdDate,
      location,
      version: revisionTag(user),
    },
  });
}

export const revisionTag = ({ revision }: { revision: number }): string => `W/"${revision}"`;

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));

type Texts = Exclude<keyof UserFields, 'isBlocked'>;

/** The fields of text attributes, by the names of the attributes in lower case. */
const texts: Readonly<Record<string, Texts>> = {
  username: 'userName',
  externalid: 'idpid',
  title: 'jobTitle',
  preferredlanguage: 'languagePreference',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
  'name.honorificprefix': 'title',
  'enterprise:department': 'department',
};
/** Attributes with several values, of which one is kept: its fields. */
const contacts: Readonly<Record<string, { value: Texts; type: Texts }>> = {
  emails: { value: 'email', type: 'emailType' },
  phonenumbers: { value: 'telephone', type: 'telephoneType' },
};

/** A type that is not stored is work. */
const contactOf = (user: Partial<UserFields>, fields: { value: Texts; type: Texts }): Contact | null => {
  const value = user[fields.value];
  return value === null || value === undefined ? null : { value, type: user[fields.type] ?? 'work' };
};

/** Attributes with sub-attributes, and the separator between the two names. */
const complex: Readonly<Record<string, string>> = { name: '.', enterprise: ':' };

/** Attributes of the two schemas that are accepted and not stored. */
// biome-ignore format: names, as many as a line holds
const unstored = new Set([
  'schemas', 'id', 'meta', 'displayname', 'nickname', 'profileurl', 'usertype', 'locale', 'timezone', 'password',
  'ims', 'photos', 'addresses', 'groups', 'entitlements', 'roles', 'x509certificates', 'name.formatted',
  'name.middlename', 'name.honorificsuffix', 'enterprise:schemas', 'enterprise:employeenumber',
  'enterprise:costcenter', 'enterprise:organization', 'enterprise:division', 'enterprise:manager',
  'manager',
]);
const isUnstored = (attribute: string): boolean => unstored.has(attribute) || unstored.has(attribute.split('.')[0]!);

/** Collects the fields that a request sets. */
class SetFields {
  readonly fields: Partial<UserFields> = {};
  /** @param current the stored values, with which a filter in a path is compared */
  constructor(private readonly current: Partial<UserFields> = {}) {}

  /** Changes an attribute. @param value null or undefined clears it @param isStrict whether an unknown attribute is an error */
  set(op: Op, path: AttributePath, value: unknown, isStrict: boolean): void {
    const { attribute, selects, sub } = path;
    const name = sub === undefined ? attribute : `${attribute}.${sub}`;
    const [first, ...parts] = name.split('.') as [string, ...string[]];
    if (Object.hasOwn(contacts, first)) {
      this.setContact(op, { attribute: first, selects, sub: parts.length > 0 ? parts.join('.') : undefined }, value);
      return;
    }
    const cleared = op === 'remove' ? null : value;
    if (isUnstored(name)) return;
    if (selects) throw scimFault('invalidPath', `A filter selects no values of ${startOf(attribute, 100)}.`);
    if (attribute === 'active') {
      // null is the same as absent (RFC 7643 §2.5)
      if (isStrict || value !== null) this.fields.isBlocked = !readActive(cleared);
    } else if (Object.hasOwn(texts, name)) this.fields[texts[name]!] = readText(name, cleared);
    else if (Object.hasOwn(complex, attribute)) this.setParts(op, attribute, cleared, isStrict);
    else if (isStrict) throw scimFault('invalidPath', `There is no attribute ${startOf(attribute, 100)}.`);
  }

  private setParts(op: Op, attribute: string, value: unknown, isStrict: boolean): void {
    const prefix = attribute + complex[attribute];
    if (value === null || value === undefined) {
      for (const name of Object.keys(texts)) if (name.startsWith(prefix)) this.fields[texts[name]!] = null;
      return;
    }
    if (!isJsonObject(value)) throw scimFault('invalidValue', `${attribute} must be an object.`);
    const parts = [...membersOf(value)].map(([name, part]) => [prefix + name, part] as const);
    if (!isStrict && parts.length > 0 && !parts.some(([name]) => Object.hasOwn(texts, name) || isUnstored(name)))
      throw scimFault('invalidValue', `${attribute} has none of its attributes.`);
    for (const [name, part] of parts) this.set(op, { attribute: name }, part, isStrict);
  }

  private setContact(op: Op, path: AttributePath, value: unknown): void {
    const names = contacts[path.attribute]!;
    const changed = changeContact(contactOf({ ...this.current, ...this.fields }, names), op, path, value);
    this.fields[names.value] = changed?.value ?? null;
    this.fields[names.type] = changed && !isSameType(changed.type, 'work') ? changed.type : null;
  }
}

function readActive(value: unknown): boolean {
  const active = unwrapped(value);
  if (readsAs(active, true)) return true;
  if (readsAs(active, false)) return false;
  throw scimFault('invalidValue', 'active must be true or false.');
}

function readText(name: string, value: unknown): string | null {
  const text = unwrapped(value);
  if (text === null || text === undefined || text === '') return null;
  if (typeof text !== 'string') throw scimFault('invalidValue', `${name} must be a string.`);
  return text;
}

/** Some callers wrap a single value: `[{"value": "x"}]`. */
function unwrapped(value: unknown): unknown {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const members = isJsonObject(single) ? membersOf(single) : undefined;
  return members?.has('value') ? members.get('value') : single;
}

/** The fields of a new user. Throws `invalidValue`. */
export function readNewUser(body: unknown): Partial<UserFields> {
  const set = new SetFields();
  for (const [attribute, value] of requireMembers(body)) set.set('replace', { attribute }, value, false);
  requireName(set.fields);
  return set.fields;
}

/** The fields of a PUT: an absent attribute is cleared, except `active` and `externalId`. Throws `invalidValue`, and `mutability` for another id. */
export function readWholeUser(body: unknown, userGuid: string): Partial<UserFields> {
  const id = requireMembers(body).get('id');
  if (id !== undefined) requireSameId(id, userGuid);
  return { ...clearedFields, ...readNewUser(body) };
}

/**
 * The fields of a PUT without `active` where it repeats what was said last: identity providers send it with every change, and what an
 * administrator decided since stays.
 */
export function withoutRepetition(
  { isBlocked, ...others }: Partial<UserFields>,
  { provisionedActive }: ProvisionedUser,
): Partial<UserFields> {
  return isBlocked === undefined || provisionedActive === !isBlocked ? others : { ...others, isBlocked };
}

function requireSameId(id: unknown, userGuid: string): void {
  if (typeof id !== 'string' || id.toLowerCase() !== userGuid)
    throw scimFault('mutability', 'The id of a user does not change.');
}

function requireName({ userName }: Partial<UserFields>): void {
  if (typeof userName !== 'string') throw scimFault('invalidValue', 'userName is required.');
}

export interface Operation {
  op: Op;
  path: string;
  value: unknown;
}

const operationsMax = 1_000;

/**
 * Reads the operations of a PATCH. Entra writes the names of members and operations with a capital letter. A value without a
 * path becomes an operation for each attribute. Throws `invalidSyntax`, `invalidPath`, `invalidValue`, `noTarget`, `tooMany`.
 */
export function readOperations(body: unknown): Operation[] {
  const member = requireMembers(body).get('operations');
  if (!Array.isArray(member) || member.length === 0)
    throw scimFault('invalidSyntax', 'Operations must be a list with at least one operation.');
  if (member.length > operationsMax) throw scimFault('tooMany', `A PATCH has at most ${operationsMax} operations.`);
  return member.flatMap((entry): Operation | Operation[] => {
    const members = requireMembers(entry);
    const [op, path, value] = ['op', 'path', 'value'].map((part) => members.get(part));
    const name = typeof op === 'string' ? op.toLowerCase() : '';
    if (name !== 'add' && name !== 'replace' && name !== 'remove')
      throw scimFault('invalidSyntax', 'op must be add, replace or remove.');
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw scimFault('invalidPath', 'path must be a string.');
    if (name === 'remove' && !path) throw scimFault('noTarget', 'remove needs a path.');
    if (name !== 'remove' && value === undefined) throw scimFault('invalidValue', `${name} needs a value.`);
    if (path) return { op: name, path, value };
    requireMembers(value);
    const parts = Object.entries(value as JsonObject);
    return parts.map(([attribute, part]) => ({ op: name, path: attribute, value: part }));
  });
}

/** The fields that a PATCH sets. Throws `invalidPath`, `invalidValue`, `noTarget`, `mutability`. */
export function patchUser(user: ProvisionedUser, operations: readonly Operation[]): Partial<UserFields> {
  const set = new SetFields(user);
  for (const { op, path, value } of operations) {
    const target = parsePath(path);
    if (target.attribute === 'id') requireSameId(op === 'remove' ? undefined : value, user.userGuid);
    // RFC 7643 §4.1.2: read-only, and whoever takes somebody out of a group must know that nothing was done
    if (target.attribute.split('.')[0] === 'groups')
      throw scimFault('mutability', 'The members of a group are changed at /Groups.');
    if (op === 'remove' && (target.attribute === 'active' || target.attribute === 'username'))
      throw scimFault('mutability', `${target.attribute === 'active' ? 'active' : 'userName'} can not be removed.`);
    set.set(op, target, value, true);
  }
  if ('userName' in set.fields) requireName(set.fields);
  return set.fields;
}
