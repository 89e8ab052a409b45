/** Which access scopes a profile has. */
import { assignAccessScope, setProfileAccessScopes } from '../../../services/people/profiles.js';
import { type ChangeFields, listOf, refer, type Said, untilWords } from '../words.js';
import { type Kind, onAccess, plainTitle } from './kind.js';

interface ScopeAssignment extends ChangeFields {
  profileId: string;
  accessScopeGuid: string;
  validUntil?: string | null;
}
interface ScopeList extends ChangeFields {
  profileId: string;
  accessScopeGuids: string[];
  ifRevision?: number | null;
}

const assigned: Said = { verb: 'assign', noun: 'access scope', subject: 'profileId' };
const assignAccessScopeKind: Kind<ScopeAssignment> = {
  name: 'assignAccessScope',
  family: 'assignAccessScope',
  input: null,
  does: { apply: assignAccessScope, size: () => 1 },
  title: {
    ...plainTitle(assigned),
    sentence: (words, [first]) =>
      `Give the access scope ${refer(words, 'accessScopeGuid', first!)} to the profile ${refer(words, 'profileId', first!)}${untilWords(words, [first!])}`,
  },
  effect: onAccess,
  // who owns the profile does not own what the access scope opens
  ownedBy: null,
  endingAt: null,
};

const set: Said = { verb: 'set', noun: 'profile access scope', subject: 'profileId' };
const setProfileAccessScopesKind: Kind<ScopeList> = {
  name: 'setProfileAccessScopes',
  family: 'setProfileAccessScopes',
  input: null,
  does: {
    apply: (context, { profileId, accessScopeGuids, ifRevision }) =>
      setProfileAccessScopes(context, profileId, accessScopeGuids, ifRevision),
    size: ({ accessScopeGuids }) => accessScopeGuids.length,
  },
  title: {
    ...plainTitle(set),
    sentence: (words, [first]) =>
      `Set the access scopes of the profile ${refer(words, 'profileId', first!)} to ${listOf(words, 'accessScopeGuids', first!.accessScopeGuids)}`,
  },
  effect: onAccess,
  ownedBy: null,
  endingAt: null,
};

export const profileScopes: Kind[] = [assignAccessScopeKind, setProfileAccessScopesKind];
