/** Which file in git manages what drafts change: its next apply takes such a change back. */
import type { Draft, Subject } from '../drafts';
import { ask } from '../graph';
import type { MappingChangeInput, TranslationChangeInput } from '../operations/generated/graph';
import {
  holdingManagers as holdingManagersOf,
  managers,
  scopeMappingManagers,
  typeMappingManagers,
} from '../operations/generated/managers';
import { readToEnd } from '../readToEnd';
import { textKey } from '../textDraft';
import { readTexts } from './presentCells';

/** Names of the files, by the drafts' keys; a record that is being made has none. Throws Refusal. */
export async function readManagers(drafts: readonly Draft[], signal: AbortSignal): Promise<Map<string, string>> {
  const changes = drafts.map(({ change }) => change);
  const read = await Promise.all([
    recordManagers(drafts, signal),
    mappingManagers(
      changes.flatMap(({ mapping }) => mapping ?? []),
      signal,
    ),
    holdingManagers(
      changes.flatMap(({ assignProfile, unassignProfile }) => assignProfile ?? unassignProfile ?? []),
      signal,
    ),
    textManagers(
      changes.flatMap(({ translation }) => translation ?? []),
      signal,
    ),
  ]);
  const places = new Map(read.flat());
  return new Map(
    drafts.flatMap((draft) => {
      const manager = places.get(placeOf(draft));
      return manager ? [[draft.key, manager]] : [];
    }),
  );
}

type Managers = (readonly [place: string, manager: string | null])[];

async function recordManagers(drafts: readonly Draft[], signal: AbortSignal): Promise<Managers> {
  const ids = (kind: Subject['kind']) =>
    distinct(drafts.flatMap(({ subject, change }) => (isOfRecord(change) && subject.kind === kind ? subject.id : [])));
  const records = {
    applications: ids('application'),
    scopes: ids('scope'),
    types: ids('type'),
    profiles: ids('profile'),
    roles: ids('role'),
  };
  if (Object.values(records).flat().length === 0) return [];
  const found = await ask(managers, records, signal);
  return [
    ...found.applications.nodes.map((each) => [place('application', each.applicationGuid), each.managedBy] as const),
    ...found.accessScopes.nodes.map((each) => [place('scope', each.accessScopeGuid), each.managedBy] as const),
    ...found.accessScopeTypes.nodes.map((each) => [place('type', each.accessScopeTypeGuid), each.managedBy] as const),
    ...found.profiles.nodes.map((each) => [place('profile', each.profileId), each.managedBy] as const),
    ...found.roles.nodes.map((each) => [place('role', each.roleId), each.managedBy] as const),
  ];
}

async function mappingManagers(cells: readonly MappingChangeInput[], signal: AbortSignal): Promise<Managers> {
  const ofScopes = cells.filter(({ accessScopeGuid }) => accessScopeGuid);
  const ofTypes = cells.filter(({ accessScopeTypeGuid }) => accessScopeTypeGuid);
  const applicationsOf = (own: typeof cells) => distinct(own.map(({ applicationGuid }) => applicationGuid));
  const [scopes, types] = await Promise.all([
    ofScopes.length === 0
      ? []
      : readToEnd(async (page) => {
          const scopes = distinct(ofScopes.flatMap(({ accessScopeGuid }) => accessScopeGuid ?? []));
          return (await ask(scopeMappingManagers, { ...page, applications: applicationsOf(ofScopes), scopes }, signal))
            .links;
        }),
    ofTypes.length === 0
      ? []
      : readToEnd(async (page) => {
          const types = distinct(ofTypes.flatMap(({ accessScopeTypeGuid }) => accessScopeTypeGuid ?? []));
          return (await ask(typeMappingManagers, { ...page, applications: applicationsOf(ofTypes), types }, signal))
            .links;
        }),
  ]);
  return [
    ...scopes.map(
      ({ application, accessScope, managedBy }) =>
        [place('mapping', application.applicationGuid, accessScope.accessScopeGuid), managedBy] as const,
    ),
    ...types.map(
      ({ application, accessScopeType, managedBy }) =>
        [place('mapping', application.applicationGuid, accessScopeType.accessScopeTypeGuid), managedBy] as const,
    ),
  ];
}

interface Holding {
  userGuid: string;
  profileId: string;
}

async function holdingManagers(holdings: readonly Holding[], signal: AbortSignal): Promise<Managers> {
  if (holdings.length === 0) return [];
  const users = distinct(holdings.map(({ userGuid }) => userGuid));
  const profiles = distinct(holdings.map(({ profileId }) => profileId));
  const links = await readToEnd(
    async (page) => (await ask(holdingManagersOf, { ...page, users, profiles }, signal)).links,
  );
  return links.map(
    ({ user, profileId, roleId, managedBy }) =>
      [place('holding', user.userGuid, profileId, roleId), managedBy] as const,
  );
}

const textManagers = async (cells: readonly TranslationChangeInput[], signal: AbortSignal): Promise<Managers> =>
  (await readTexts(cells, signal)).map((text) => [textKey(text), text.managedBy] as const);

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

const isOfRecord = ({
  mapping,
  translation,
  assignProfile,
  assignProfiles,
  unassignProfile,
}: Draft['change']): boolean => !mapping && !translation && !assignProfile && !assignProfiles && !unassignProfile;

/** What a draft changes: a record of its own kind, or a mapping, a text or a holding. */
function placeOf({ subject, change }: Draft): string {
  const { mapping, translation } = change;
  const holding = change.assignProfile ?? change.unassignProfile;
  if (mapping) return place('mapping', mapping.applicationGuid, mapping.accessScopeGuid ?? mapping.accessScopeTypeGuid);
  if (translation) return textKey(translation);
  if (holding) return place('holding', holding.userGuid, holding.profileId, holding.roleId);
  // assignments that are made by it are managed by nothing yet
  if (change.assignProfiles) return place('holdings');
  return place(subject.kind, subject.id);
}

const place = (...names: unknown[]): string => JSON.stringify(names);
