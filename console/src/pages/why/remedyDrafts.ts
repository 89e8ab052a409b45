/** A remedy's changes as drafts, with names for the guids that they bear. */
import { blockingDraft } from '../../blockingDraft';
import type { Draft, Subject } from '../../drafts';
import { assigningDraft } from '../../holdingDraft';
import { mappingDraft, typeMappingDraft } from '../../mappingDraft';
import type { ChangeInput } from '../../operations/generated/graph';
import { scopeEndDraft } from '../../profileDraft';
import { withPending } from '../../withPending';
import { type Person, partsOf, type Remedy, type Target, type Way } from './answer';

export interface Names {
  user: Person;
  application: Target;
  profiles: Map<string, string>;
  /** Names of access scopes and types, by guid. */
  scopes: Map<string, string>;
}

export function namesOfWays(ways: readonly Way[], user: Person, application: Target): Names {
  const parts = ways.map(partsOf);
  return {
    user,
    application,
    profiles: new Map(parts.flatMap(({ profile }) => (profile ? [[profile.profileId, profile.name] as const] : []))),
    scopes: new Map(
      parts.flatMap(({ scope, type }) =>
        [scope, type].flatMap((each) => (each ? [[each.guid, each.name] as const] : [])),
      ),
    ),
  };
}

export const remedyDrafts = (remedy: Remedy, names: Names): Draft[] =>
  (remedy.changes as ChangeInput[]).map((change) => draftOf(change, names));

/** One draft for each kind of change that the service knows as a remedy. */
function draftOf(change: ChangeInput, names: Names): Draft {
  const { user, application, profiles, scopes } = names;
  const nameOf = (guid: string) => scopes.get(guid) ?? guid;
  const use = (subject: Subject): Draft =>
    withPending({
      key: `fields ${subject.kind} ${subject.id}`,
      subject,
      label: 'State',
      from: 'out of use',
      to: 'in use',
      sign: 'gain',
      fields: [{ field: 'isActive', before: false, after: true }],
      change,
    });
  const { mapping, assignProfile, assignAccessScope, updateAccessScope, updateAccessScopeType, updateUser } = change;
  if (mapping) {
    const target = { guid: application.applicationGuid, name: application.name };
    const guid = (mapping.accessScopeGuid ?? mapping.accessScopeTypeGuid)!;
    const make = mapping.accessScopeGuid ? mappingDraft : typeMappingDraft;
    const name = mapping.accessScopeGuid ? nameOf(guid) : `All of ${nameOf(guid)}`;
    return make(target, { guid, name, isActive: true }, mapping.from ?? null, mapping.to ?? null);
  }
  if (assignProfile) {
    const { profileId, roleId } = assignProfile;
    const profileName = profiles.get(profileId) ?? profileId;
    return assigningDraft({ user, profileId, profileName, roleId, roleName: roleId }, assignProfile.validUntil);
  }
  if (assignAccessScope) {
    const { profileId, accessScopeGuid: guid, validUntil } = assignAccessScope;
    const profile = { profileId, name: profiles.get(profileId) ?? profileId };
    const draft = scopeEndDraft(profile, { guid, name: nameOf(guid) }, null, validUntil ?? null);
    return { ...draft, sign: 'gain', ...(validUntil ? { from: 'ended' } : { from: 'not in it', to: 'in it' }) };
  }
  if (updateAccessScope)
    return use({
      kind: 'scope',
      id: updateAccessScope.accessScopeGuid,
      name: nameOf(updateAccessScope.accessScopeGuid),
    });
  if (updateAccessScopeType) {
    const id = updateAccessScopeType.accessScopeTypeGuid;
    return use({ kind: 'type', id, name: nameOf(id) });
  }
  if (updateUser) return blockingDraft(user);
  return use({ kind: 'application', id: application.applicationGuid, name: application.name });
}
