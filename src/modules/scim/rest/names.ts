/** Names of attributes and members in SCIM: case is ignored, at every level (RFC 7643 §2.1). */
import { startOf } from '../../../entities/valueForms.js';
import { isJsonObject, type JsonObject } from '../../../jsonObject.js';
import { scimFault } from '../conditions.js';

export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** The name of an attribute in lower case, without the URN of its schema. Names of the extension begin with `enterprise:`. */
export function attributeName(text: string): string {
  const name = text.toLowerCase().replace(coreSchema, '');
  const extension = enterpriseSchema.toLowerCase();
  return name.startsWith(extension) ? `enterprise${name.slice(extension.length)}` : name;
}

/** The members of an object by their attribute names. Throws `invalidSyntax` if two members have the same name. */
export function membersOf(object: JsonObject): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [text, value] of Object.entries(object)) {
    const name = attributeName(text);
    if (members.has(name)) throw scimFault('invalidSyntax', `The attribute ${startOf(name, 100)} occurs twice.`);
    members.set(name, value);
  }
  return members;
}

/** The members of a body or of an operation. Throws `invalidSyntax` for anything but an object. */
export function requireMembers(body: unknown): ReadonlyMap<string, unknown> {
  if (!isJsonObject(body)) throw scimFault('invalidSyntax', 'The body must be a JSON object.');
  return membersOf(body);
}
