/** Users in SCIM's form, and the fields that a PUT, POST or PATCH sets (RFC 7643 §4.1, RFC 7644 §3.5). */
import { isJsonObject, type JsonObject } from '../../jsonObject.js';
import { scimFault } from '../../services/provisioning/conditions.js';
import { clearedFields, type ProvisionedUser, type UserFields } from '../../services/provisioning/users.js';
import { type AttributePath, attributeName, enterpriseSchema, isMet, parsePath } from './filter.js';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

export function userResource(user: ProvisionedUser, location: string): JsonObject {
  const { firstName, lastName, title: honorificPrefix } = user;
  const formatted = [honorificPrefix, firstName, lastName].filter(Boolean).join(' ');
  const name = { formatted, familyName: lastName, givenName: firstName, honorificPrefix };
  const contact = (value: string | null) => (value === null ? undefined : [{ value, type: 'work', primary: true }]);
  return withoutNulls({
    schemas: [userSchema, ...(user.department === null ? [] : [enterpriseSchema])],
    id: user.userGuid,
    externalId: user.idpid,
    userName: user.shownName,
    name: formatted === '' ? null : withoutNulls(name),
    displayName: [firstName, lastName].filter(Boolean).join(' ') || user.shownName,
    title: user.jobTitle,
    preferredLanguage: user.languagePreference,
    emails: contact(user.email),
    phoneNumbers: contact(user.telephone),
    active: !user.isBlocked,
    [enterpriseSchema]: user.department === null ? null : { department: user.department },
    meta: {
      resourceType: 'User',
      created: user.createdDate,
      lastModified: user.modifiedDate ?? user.createdDate,
      location,
      version: etagOf(user),
    },
  });
}

export const etagOf = ({ revision }: { revision: number }): string => `W/"${revision}"`;

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
/** The fields of attributes with several values; only the value of type work is stored. */
const contacts: Readonly<Record<string, Texts>> = { emails: 'email', phonenumbers: 'telephone' };
/** Attributes with sub-attributes, and the separator between the two names. */
const complex: Readonly<Record<string, string>> = { name: '.', enterprise: ':' };

/** Attributes of the two schemas that are accepted and not stored. */
// biome-ignore format: names, as many as a line holds
const unstored = new Set([
  'schemas', 'id', 'meta', 'displayname', 'nickname', 'profileurl', 'usertype', 'locale', 'timezone', 'password',
  'ims', 'photos', 'addresses', 'groups', 'entitlements', 'roles', 'x509certificates', 'name.formatted',
  'name.middlename', 'name.honorificsuffix', 'enterprise:schemas', 'enterprise:employeenumber',
  'enterprise:costcenter', 'enterprise:organization', 'enterprise:division', 'enterprise:manager',
]);
const isUnstored = (attribute: string): boolean => unstored.has(attribute) || unstored.has(attribute.split('.')[0]!);

/** Collects the fields that a request sets. */
class SetFields {
  readonly fields: Partial<UserFields> = {};
  /** @param current the stored values, with which a filter in a path is compared */
  constructor(private readonly current: Partial<UserFields> = {}) {}

  /** Sets an attribute. @param value null or undefined clears it @param isStrict whether an unknown attribute is an error */
  set({ attribute, selects, sub }: AttributePath, value: unknown, isStrict: boolean): void {
    const name = sub === undefined ? attribute : `${attribute}.${sub}`;
    const [first = '', second] = attribute.split('.');
    const contact = Object.hasOwn(contacts, first) ? contacts[first] : undefined;
    if (contact) this.setContact(contact, { selects, sub: sub ?? second }, value);
    else if (attribute === 'active') {
      // null is the same as absent (RFC 7643 §2.5)
      if (isStrict || value !== null) this.fields.isBlocked = !readActive(value);
    } else if (Object.hasOwn(texts, name)) this.fields[texts[name]!] = readText(name, value);
    else if (Object.hasOwn(complex, attribute)) this.setParts(attribute, value, isStrict);
    else if (isStrict && !isUnstored(name))
      throw scimFault('invalidPath', `There is no attribute ${attribute.slice(0, 100)}.`);
  }

  /** Adds to an attribute. Of several contacts only one is stored: one of another type than `work` does not replace it. */
  add(target: AttributePath, value: unknown): void {
    const field = target.selects ? undefined : contacts[target.attribute];
    const isStored = field !== undefined && (this.now(field) ?? null) !== null;
    if (!isStored || ![value].flat().every(isOfOtherType)) this.set(target, value, true);
  }

  private now(field: Texts): string | null | undefined {
    return this.fields[field] === undefined ? this.current[field] : this.fields[field];
  }

  private setParts(attribute: string, value: unknown, isStrict: boolean): void {
    const prefix = attribute + complex[attribute];
    if (value === null || value === undefined) {
      for (const name of Object.keys(texts)) if (name.startsWith(prefix)) this.fields[texts[name]!] = null;
    } else if (isJsonObject(value)) {
      for (const [name, part] of Object.entries(value))
        this.set({ attribute: prefix + name.toLowerCase() }, part, isStrict);
    } else throw scimFault('invalidValue', `${attribute} must be an object.`);
  }

  private setContact(field: Texts, { selects, sub }: Pick<AttributePath, 'selects' | 'sub'>, value: unknown): void {
    if (sub !== undefined && sub !== 'value') return;
    if (selects) {
      if (isMet(selects, { type: 'work', primary: true, value: this.now(field) ?? null })) {
        this.fields[field] = readText('value', isJsonObject(value) ? value.value : value);
        return;
      }
      // contacts of other types are not stored
      if (!JSON.stringify(selects).includes('"type"'))
        throw scimFault('noTarget', 'The filter of the path selects no value.');
      return;
    }
    this.fields[field] = readText('value', workValue(value));
  }
}

/** Returns the value of type work, or else the primary or the first one. */
function workValue(value: unknown): unknown {
  if (!Array.isArray(value)) return isJsonObject(value) ? value.value : value;
  const values = value.filter(isJsonObject);
  const chosen =
    values.find((contact) => typeOf(contact) === 'work') ??
    values.find(({ primary }) => readsAs(primary, true)) ??
    values[0];
  return chosen?.value ?? (typeof value[0] === 'string' ? value[0] : null);
}

const typeOf = ({ type }: JsonObject) => (typeof type === 'string' ? type.toLowerCase() : undefined);
const isOfOtherType = (contact: unknown): boolean =>
  isJsonObject(contact) && ![undefined, 'work'].includes(typeOf(contact));

/** Entra sends booleans as texts. */
const readsAs = (value: unknown, expected: boolean): boolean =>
  value === expected || (typeof value === 'string' && value.toLowerCase() === String(expected));

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
  return isJsonObject(single) && 'value' in single ? single.value : single;
}

/** The fields of a new user. Throws `invalidValue`. */
export function readNewUser(body: unknown): Partial<UserFields> {
  const set = new SetFields();
  for (const [name, value] of Object.entries(requireObject(body)))
    set.set({ attribute: attributeName(name) }, value, false);
  requireName(set.fields);
  return set.fields;
}

/** The fields of a PUT: an absent attribute is cleared, except `active` and `externalId`. Throws `invalidValue`, and `mutability` for another id. */
export function readWholeUser(body: unknown, userGuid: string): Partial<UserFields> {
  const { id } = requireObject(body);
  if (id !== undefined) requireSameId(id, userGuid);
  return { ...clearedFields, ...readNewUser(body) };
}

function requireSameId(id: unknown, userGuid: string): void {
  if (typeof id !== 'string' || id.toLowerCase() !== userGuid)
    throw scimFault('mutability', 'The id of a user does not change.');
}

function requireName({ userName }: Partial<UserFields>): void {
  if (typeof userName !== 'string') throw scimFault('invalidValue', 'userName is required.');
}

export function requireObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw scimFault('invalidSyntax', 'The body must be a JSON object.');
  return body;
}

export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value: unknown;
}

const operationsMax = 1_000;

/**
 * Reads the operations of a PATCH. Entra writes the names of members and operations with a capital letter. A value without a
 * path becomes an operation for each attribute. Throws `invalidSyntax`, `invalidPath`, `invalidValue`, `noTarget`, `tooMany`.
 */
export function readOperations(body: unknown): Operation[] {
  const member = Object.entries(requireObject(body)).find(([name]) => name.toLowerCase() === 'operations')?.[1];
  if (!Array.isArray(member) || member.length === 0)
    throw scimFault('invalidSyntax', 'Operations must be a list with at least one operation.');
  if (member.length > operationsMax) throw scimFault('tooMany', `A PATCH has at most ${operationsMax} operations.`);
  return member.flatMap((entry): Operation | Operation[] => {
    const { op, path, value } = requireObject(entry);
    const name = typeof op === 'string' ? op.toLowerCase() : '';
    if (name !== 'add' && name !== 'replace' && name !== 'remove')
      throw scimFault('invalidSyntax', 'op must be add, replace or remove.');
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw scimFault('invalidPath', 'path must be a string.');
    if (name === 'remove' && !path) throw scimFault('noTarget', 'remove needs a path.');
    if (name !== 'remove' && value === undefined) throw scimFault('invalidValue', `${name} needs a value.`);
    if (path) return { op: name, path, value };
    const parts = Object.entries(requireObject(value));
    return parts.map(([attribute, part]) => ({ op: name, path: attribute, value: part }));
  });
}

/** The fields that a PATCH sets. Throws `invalidPath`, `invalidValue`, `noTarget`, `mutability`. */
export function patchUser(user: ProvisionedUser, operations: readonly Operation[]): Partial<UserFields> {
  const set = new SetFields(user);
  for (const { op, path, value } of operations) {
    const target = parsePath(path);
    if (target.attribute === 'id') requireSameId(op === 'remove' ? undefined : value, user.userGuid);
    if (op === 'remove' && (target.attribute === 'active' || target.attribute === 'username'))
      throw scimFault('mutability', `${target.attribute === 'active' ? 'active' : 'userName'} can not be removed.`);
    if (op === 'add') set.add(target, value);
    else set.set(target, op === 'remove' ? null : value, true);
  }
  if ('userName' in set.fields) requireName(set.fields);
  return set.fields;
}
