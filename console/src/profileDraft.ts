/** A draft of which access scopes a profile has. The service takes the whole list; the review shows what differs. */
import { type Draft, dropDrafts, putDrafts } from './drafts';
import { untilWords } from './grantEnd';

export interface ScopeOfProfile {
  guid: string;
  name: string;
}

interface ProfileScopes {
  profileId: string;
  name: string;
  revision: number;
  /** As they were read. */
  scopes: readonly ScopeOfProfile[];
}

const profileScopesKey = (profileId: string): string => `scopes of ${profileId}`;

/** The scopes that the profile will have: those of the draft, else those that were read. */
export function wantedScopes({ profileId, scopes }: ProfileScopes, drafts: readonly Draft[]): ScopeOfProfile[] {
  const draft = drafts.find(({ key }) => key === profileScopesKey(profileId));
  const guids = draft?.change.setProfileAccessScopes?.accessScopeGuids;
  if (!guids) return [...scopes];
  const names = new Map(scopes.map(({ guid, name }) => [guid, name]));
  for (const { field, after } of draft.fields ?? []) if (after) names.set(String(after), field);
  return guids.map((guid) => ({ guid, name: names.get(guid) ?? guid }));
}

/** Another end of an access scope of the profile. */
export const scopeEndDraft = (
  { profileId, name }: Pick<ProfileScopes, 'profileId' | 'name'>,
  scope: ScopeOfProfile,
  before: string | null,
  validUntil: string | null,
): Draft => ({
  key: scopeEndKey(profileId, scope.guid),
  subject: { kind: 'profile', id: profileId, name },
  label: scope.name,
  from: untilWords(before),
  to: untilWords(validUntil),
  sign: 'change',
  change: { assignAccessScope: { profileId, accessScopeGuid: scope.guid, validUntil } },
});

export const scopeEndKey = (profileId: string, guid: string): string => `end of ${profileId} ${guid}`;

/** Drafts that the profile has these; drops the draft when it has just these already. */
export function draftScopes(profile: ProfileScopes, wanted: readonly ScopeOfProfile[]): void {
  const { profileId, name, revision, scopes } = profile;
  const key = profileScopesKey(profileId);
  const before = new Set(scopes.map(({ guid }) => guid));
  const after = new Set(wanted.map(({ guid }) => guid));
  const added = wanted.filter(({ guid }) => !before.has(guid));
  const removed = scopes.filter(({ guid }) => !after.has(guid));
  // what is removed needs no end
  dropDrafts(removed.map(({ guid }) => scopeEndKey(profileId, guid)));
  if (added.length + removed.length === 0) {
    dropDrafts([key]);
    return;
  }
  putDrafts([
    {
      key,
      subject: { kind: 'profile', id: profileId, name },
      label: 'Access scopes',
      from: String(before.size),
      to: String(after.size),
      sign: removed.length === 0 ? 'gain' : added.length === 0 ? 'loss' : 'change',
      change: { setProfileAccessScopes: { profileId, ifRevision: revision, accessScopeGuids: [...after] } },
      fields: [
        ...added.map(({ guid, name: field }) => ({ field, before: null, after: guid })),
        ...removed.map(({ guid, name: field }) => ({ field, before: guid, after: null })),
      ],
      words: [...added.map(({ name: scope }) => `+ ${scope}`), ...removed.map(({ name: scope }) => `− ${scope}`)],
    },
  ]);
}
