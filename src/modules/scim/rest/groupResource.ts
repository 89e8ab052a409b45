/** Groups in SCIM's form, and the changes of their members by PUT and PATCH (RFC 7643 §4.2, RFC 7644 §3.5). */
import { startOf } from '../../../entities/valueForms.js';
import { isJsonObject, type JsonObject } from '../../../jsonObject.js';
import { nameKeyOf } from '../../../services/nameKey.js';
import { readGuid } from '../../../services/records/input.js';
import { type ScimCondition, scimFault } from '../conditions.js';
import { type MemberChange, membersMax, type ProvisionedGroup } from '../groups.js';
import { parsePath } from './filter.js';
import { membersOf, requireMembers } from './names.js';
import { type Operation, revisionTag } from './userResource.js';

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** @param locate returns the address of a path below /scim/v2 */
export function groupResource(group: ProvisionedGroup, locate: (path: string) => string): JsonObject {
  const { profileId, externalGroup, createdDate, modifiedDate, members } = group;
  return {
    schemas: [groupSchema],
    id: profileId,
    displayName: externalGroup,
    ...(members && {
      members: members.map(({ userGuid, shownName }) => ({
        value: userGuid,
        display: shownName,
        type: 'User',
        $ref: locate(`/Users/${userGuid}`),
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: createdDate,
      lastModified: modifiedDate ?? createdDate,
      location: locate(`/Groups/${encodeURIComponent(profileId)}`),
      version: revisionTag(group),
    },
  };
}

/** Collects the changes of the members, in the order of the operations. */
class Members implements MemberChange {
  keepsOthers = true;
  readonly members = new Map<string, boolean>();

  set(guids: readonly string[], isMember: boolean): void {
    for (const guid of guids) this.members.set(guid, isMember);
    if (this.members.size > membersMax) throw scimFault('tooMany', `A request changes at most ${membersMax} members.`);
  }

  replace(guids: readonly string[]): void {
    this.keepsOthers = false;
    this.members.clear();
    this.set(guids, true);
  }
}

/** Throws `mutability` for another name or id: only administrators change them. */
function requireSame(group: ProvisionedGroup, attribute: string, value: unknown): void {
  const isSameName = typeof value === 'string' && nameKeyOf(value) === nameKeyOf(group.externalGroup);
  if (attribute === 'displayname' && !isSameName)
    throw scimFault('mutability', 'An administrator sets the name of a group, as the externalGroup of its profile.');
  if (attribute === 'id' && value !== group.profileId)
    throw scimFault('mutability', 'The id of a group does not change.');
}

const unstored = new Set(['externalid', 'schemas', 'meta']);

/** The change of members by a PUT. Without the attribute `members`, they stay. */
export function replaceGroup(group: ProvisionedGroup, body: unknown): MemberChange {
  const change = new Members();
  for (const [attribute, value] of requireMembers(body)) {
    requireSame(group, attribute, value);
    if (attribute === 'members') change.replace(guidsOf(value));
  }
  return change;
}

export function patchGroup(group: ProvisionedGroup, operations: readonly Operation[]): MemberChange {
  const change = new Members();
  for (const { op, path, value } of operations) patchAttribute(group, change, op, path, value);
  return change;
}

function patchAttribute(
  group: ProvisionedGroup,
  change: Members,
  op: Operation['op'],
  path: string,
  value: unknown,
): void {
  const { attribute, selects, sub } = parsePath(path);
  if (attribute !== 'members') {
    if (op === 'remove' && attribute === 'displayname') throw scimFault('mutability', 'displayName cannot be removed.');
    requireSame(group, attribute, value);
    if (!['displayname', 'id'].includes(attribute) && !unstored.has(attribute))
      throw scimFault('invalidPath', `There is no attribute ${startOf(attribute, 100)}.`);
    return;
  }
  if (sub !== undefined && (sub !== 'value' || op !== 'remove'))
    throw scimFault('mutability', 'A member does not change: remove it, and add another one.');
  if (selects) {
    if (op !== 'remove') throw scimFault('invalidPath', 'Members that a filter selects can only be removed.');
    change.set(selectedGuids(selects), false);
    return;
  }
  if (op === 'add') change.set(guidsOf(value), true);
  else if (op === 'replace') change.replace(guidsOf(value));
  // Entra sends the members to remove as the value
  else if (value === undefined || value === null) change.replace([]);
  else change.set(guidsOf(value), false);
}

/** The guids that `members[value eq "…"]` selects; several may be joined by `or`. */
function selectedGuids(condition: ScimCondition): string[] {
  if (condition.kind === 'or') return condition.parts.flatMap(selectedGuids);
  const isValue = condition.kind === 'comparison' && condition.attribute === 'value' && condition.operator === 'eq';
  if (!isValue || typeof condition.value !== 'string')
    throw scimFault('invalidFilter', 'Members are selected by value eq "ID".');
  const read = readGuid(condition.value);
  if ('value' in read) return [String(read.value)];
  throw notAnId();
}

/** The guids in a value of `members`. Throws `invalidValue` for what is none, so that nobody stays a member by mistake. */
function guidsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const guids = listed(value).map((member) => {
    const read = readGuid(isJsonObject(member) ? membersOf(member).get('value') : member);
    if ('value' in read) return String(read.value);
    throw notAnId();
  });
  return [...new Set(guids)];
}

const notAnId = () => scimFault('invalidValue', 'The value of a member must be the id of a user.');

/** Some callers repeat the name of the attribute: `{"members": [{"value": "ID"}]}`. */
function listed(value: unknown): readonly unknown[] {
  const inside = isJsonObject(value) ? membersOf(value).get('members') : value;
  return Array.isArray(inside) ? inside : [value];
}
