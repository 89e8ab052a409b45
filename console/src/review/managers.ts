/** Which file in git manages what drafts change: its next apply takes such a change back. */
import type { Draft, Subject } from '../drafts';
import { ask } from '../graph';
import type { ManagersQuery } from '../operations/generated/graph';
import { managers } from '../operations/generated/managers';
import { textKey } from '../textDraft';

/** Names of the files, by the drafts' keys; a record that is being made has none. Throws Refusal. */
export async function readManagers(drafts: readonly Draft[], signal: AbortSignal): Promise<Map<string, string>> {
  const changes = drafts.map(({ change }) => change);
  const mappings = changes.flatMap(({ mapping }) => mapping ?? []);
  const holdings = changes.flatMap(({ assignProfile, unassignProfile }) => assignProfile ?? unassignProfile ?? []);
  const records = (kind: Subject['kind']) => [
    ...new Set(
      drafts.flatMap(({ subject, change }) => (isOfRecord(change) && subject.kind === kind ? subject.id : [])),
    ),
  ];
  const texts = changes.flatMap(({ translation }) => translation?.translationGroup ?? []);
  const found = await ask(
    managers,
    {
      applications: records('application'),
      scopes: records('scope'),
      types: records('type'),
      profiles: records('profile'),
      roles: records('role'),
      mapped: distinct(mappings.map(({ applicationGuid }) => applicationGuid)),
      mappedScopes: distinct(mappings.flatMap(({ accessScopeGuid }) => accessScopeGuid ?? [])),
      mappedTypes: distinct(mappings.flatMap(({ accessScopeTypeGuid }) => accessScopeTypeGuid ?? [])),
      holders: distinct(holdings.map(({ userGuid }) => userGuid)),
      held: distinct(holdings.map(({ profileId }) => profileId)),
      groups: distinct(texts),
    },
    signal,
  );
  const places = placesOf(found);
  return new Map(
    drafts.flatMap((draft) => {
      const manager = places.get(placeOf(draft));
      return manager ? [[draft.key, manager]] : [];
    }),
  );
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

const isOfRecord = ({ mapping, translation, assignProfile, unassignProfile }: Draft['change']): boolean =>
  !mapping && !translation && !assignProfile && !unassignProfile;

/** What a draft changes: a record of its own kind, or a mapping, a text or a holding. */
function placeOf({ subject, change }: Draft): string {
  const { mapping, translation } = change;
  const holding = change.assignProfile ?? change.unassignProfile;
  if (mapping) return place('mapping', mapping.applicationGuid, mapping.accessScopeGuid ?? mapping.accessScopeTypeGuid);
  if (translation) return textKey(translation);
  if (holding) return place('holding', holding.userGuid, holding.profileId, holding.roleId);
  return place(subject.kind, subject.id);
}

const place = (...names: unknown[]): string => JSON.stringify(names);

function placesOf(found: ManagersQuery): Map<string, string | null> {
  const texts = found.translationGroups.nodes.flatMap(({ translationGroup, translations }) =>
    translations.nodes.map((text) => [textKey({ translationGroup, ...text }), text.managedBy] as const),
  );
  return new Map([
    ...found.applications.nodes.map((each) => [place('application', each.applicationGuid), each.managedBy] as const),
    ...found.accessScopes.nodes.map((each) => [place('scope', each.accessScopeGuid), each.managedBy] as const),
    ...found.accessScopeTypes.nodes.map((each) => [place('type', each.accessScopeTypeGuid), each.managedBy] as const),
    ...found.profiles.nodes.map((each) => [place('profile', each.profileId), each.managedBy] as const),
    ...found.roles.nodes.map((each) => [place('role', each.roleId), each.managedBy] as const),
    ...found.accessScopeApplicationsMappers.nodes.map(
      ({ application, accessScope, managedBy }) =>
        [place('mapping', application.applicationGuid, accessScope.accessScopeGuid), managedBy] as const,
    ),
    ...found.accessScopeTypeApplicationsMappers.nodes.map(
      ({ application, accessScopeType, managedBy }) =>
        [place('mapping', application.applicationGuid, accessScopeType.accessScopeTypeGuid), managedBy] as const,
    ),
    ...found.userProfiles.nodes.map(
      ({ user, profileId, roleId, managedBy }) =>
        [place('holding', user.userGuid, profileId, roleId), managedBy] as const,
    ),
    ...texts,
  ]);
}
