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

/** The scopes that the profile will have: those that were read, with what its draft gives and without what it removes. */
export function wantedScopes({ profileId, scopes }: ProfileScopes, drafts: readonly Draft[]): ScopeOfProfile[] {
  const fields = drafts.find(({ key }) => key === profileScopesKey(profileId))?.fields ?? [];
  const given = fields.flatMap(({ field: name, after }) => (after ? [{ guid: String(after), name }] : []));
  const changed = new Set(fields.map(({ before, after }) => after ?? before));
  return [...scopes.filter(({ guid }) => !changed.has(guid)), ...given];
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

/** The draft that the profile has these. */
export function scopesDraft(profile: ProfileScopes, wanted: readonly ScopeOfProfile[]): Draft {
  const { profileId, name, revision, scopes } = profile;
  const before = new Set(scopes.map(({ guid }) => guid));
  const after = new Set(wanted.map(({ guid }) => guid));
  const added = wanted.filter(({ guid }) => !before.has(guid));
  const removed = scopes.filter(({ guid }) => !after.has(guid));
  return {
    key: profileScopesKey(profileId),
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
  };
}

/** Drafts that the profile has these; drops the draft when it has just these already. */
export function draftScopes(profile: ProfileScopes, wanted: readonly ScopeOfProfile[]): void {
  const draft = scopesDraft(profile, wanted);
  const fields = draft.fields ?? [];
  // what is removed needs no end
  dropDrafts(fields.flatMap(({ before }) => (before ? [scopeEndKey(profile.profileId, String(before))] : [])));
  if (fields.length > 0) putDrafts([draft]);
  else dropDrafts([draft.key]);
}
