/** The one statement that renews: judges a renewal token and its client, and rewrites the record, for one or for many at once. */
import type { SharedStatement } from '../../sql.js';
import { activeKidColumn } from '../keys/keyStore.js';
import { clientColumns, clientStands, lastUseIsOld, type StoredClient } from './authenticateClient.js';
import { heldRole, heldScopes } from './claims.js';
import { hasAudience, isWithin } from './narrowing.js';
import { hardened, isOneHardened } from './policy.js';
import { isLive } from './renewalToken.js';

export interface Renewed {
  active_kid: string;
  user_guid: string;
  profile_id: string;
  role_id: string;
  scopes: string[];
  audience: string | null;
  scope: string | null;
  allowed_audiences: string | null;
  client_policy: string | null;
  /** Whether the last use of the client's secret is to be written anew. */
  use_is_old: boolean;
  /** Whose the record is; in rehearsal alone. */
  record_client_id?: string;
}

/** Nothing was renewed; the client's columns say whether it is to blame. */
export interface NotRenewed extends StoredClient {
  user_guid: null;
}

interface Variant {
  /** A record that has a client is renewed for that one alone, and one without is bound; else where a client is hardened. */
  isBound: boolean;
  /** A record that has no client is this one's from now on, and the client of each is given; not where it `isBound`. */
  isRehearsal: boolean;
  /** Of the profile that is asked for alone: in any case, or for hardened clients; or of whichever it is. */
  profile: 'asked' | 'askedOfHardened' | 'any';
  /** For the audiences and scopes that are asked for, if it has them. */
  isNarrowed: boolean;
}

/** The values, by what they are called in the statement for many. */
const parameters = [
  'client_id',
  'known_secret',
  'token_guid',
  'token',
  'next_token',
  'generation',
  'created_at',
  'expires_at',
  'renewal_key',
  'jkt',
  'audiences',
  'all_audiences',
];
const types = ['text', 'text', 'uuid', 'bytea', 'bytea', 'int', 'timestamptz', 'timestamptz', 'bytea'];

/** The names of the values of a variant, and the types of all: text, where none is listed. */
const namesOf = ({ profile, isNarrowed }: Variant): string[] => [
  ...parameters,
  ...(profile === 'any' ? [] : ['profile_id']),
  ...(isNarrowed ? ['asked_audience', 'asked_scope'] : []),
];
const typeOf = (name: string): string => types[parameters.indexOf(name)] ?? 'text';

const clientIsDocumented = `client.policy is distinct from '${hardened}'`;

/**
 * Where client, record and user are as they must be now. `asked` names the values.
 * @param role the user's in the record's profile, in SQL; null: the profile is no longer held
 */
const mayRenew = ({ isBound, profile, isNarrowed }: Variant, asked: (name: string) => string, role: string): string => `
      t.token_guid = ${asked('token_guid')} and t.token = ${asked('token')} and ${isLive('t')}
      ${profile === 'any' ? '' : `and (t.profile_id = ${asked('profile_id')} ${profile === 'asked' ? '' : `or ${clientIsDocumented}`})`}
      and (t.client_id is null or t.client_id = ${asked('client_id')}
        ${isBound ? '' : `or not ${isOneHardened('t.client_id', asked('client_id'))}`})
      and client.client_id = ${asked('client_id')} and ${clientStands(asked('known_secret'))}
      and u.user_guid = t.user_id and not u.is_blocked
      and ${role} is not null
      and (t.jkt is null or t.jkt = ${asked('jkt')}) and (not client.dpop_required or ${asked('jkt')} is not null)
      and ${hasAudience(asked)}
      ${isNarrowed ? `and ${isWithin(asked, heldScopes('t.profile_id'))}` : ''}`;

/** @param policy that of the client that asks, in SQL */
const clientAfter = ({ isBound, isRehearsal }: Variant, asked: (name: string) => string, policy: string): string => {
  if (isBound) return asked('client_id');
  // a hardened client renews its own records, and those that have none
  if (isRehearsal) return `coalesce(t.client_id, ${asked('client_id')})`;
  return `case ${policy} when '${hardened}' then ${asked('client_id')} else t.client_id end`;
};

const rewritten = (variant: Variant, asked: (name: string) => string, policy: string): string => `
      token = ${asked('next_token')}, generation = ${asked('generation')}, created_at = ${asked('created_at')},
      expires_at = ${asked('expires_at')}, renewal_key = ${asked('renewal_key')},
      jkt = ${asked('jkt')},
      client_id = ${clientAfter(variant, asked, policy)}`;
const givenClient = ({ isRehearsal }: Variant): string => (isRehearsal ? ', t.client_id as record_client_id' : '');

/**
 * Of any number of simultaneous uses exactly one finds its hash: the others wait for the row and see another one.
 * It renews only for the client whose stored hash is the known one, so the client is judged by what the database has now.
 */
function renewalOfOne(variant: Variant): string {
  const names = namesOf(variant);
  const asked = (name: string) => `$${names.indexOf(name) + 1}::${typeOf(name)}`;
  const role = heldRole('u.user_id', 't.profile_id');
  return `
  with renewed as (
    update tokens t set ${rewritten(variant, asked, 'client.policy')}
    from clients client, users u
    where ${mayRenew(variant, asked, role)}
    returning t.user_id as user_guid, t.profile_id, t.audience, t.scope${givenClient(variant)}, ${role} as role_id,
      ${lastUseIsOld(asked('known_secret'))} as use_is_old
  )
  select ${clientColumns}, ${activeKidColumn}, renewed.*,
    case when renewed.profile_id is not null then ${heldScopes('renewed.profile_id')} end as scopes
  from (values (1)) one
  left join clients client on client.client_id = ${asked('client_id')}
  left join renewed on true`;
}

/**
 * The same for many: it gives a row for each that it renewed. Whose record another transaction holds at the moment is
 * left out rather than waited for, so nobody waits for another transaction's row and two of these never wait for each other.
 */
function renewalOfMany(variant: Variant): string {
  const asked = (name: string) => `asked.${name}`;
  const names = namesOf(variant);
  return `
  with found as materialized (
    select asked.*, t.id, held.role_id, client.allowed_audiences,
      client.policy as client_policy, ${lastUseIsOld('asked.known_secret')} as use_is_old
    from unnest(${names.map((name, index) => `$${index + 1}::${typeOf(name)}[]`).join(', ')})
      with ordinality asked(${names.join(', ')}, ord), tokens t, clients client, users u,
      lateral ${heldRole('u.user_id', 't.profile_id')} held
    where ${mayRenew(variant, asked, 'held.role_id')}
    for update of t skip locked
  ), renewed as (
    update tokens t set ${rewritten(variant, (name) => `found.${name}`, 'found.client_policy')}
    from found where t.id = found.id
    returning found.ord, found.role_id, found.allowed_audiences, found.client_policy, found.use_is_old,
      t.user_id as user_guid, t.profile_id, t.audience, t.scope${givenClient(variant)}
  ), scopes as materialized (
    select profile_id, ${heldScopes('profile.profile_id')} as scopes
    from (select distinct profile_id from renewed) profile
  )
  select renewed.*, scopes.scopes, ${activeKidColumn} from renewed join scopes using (profile_id)`;
}

// each variant is a text of its own, without conditions that a parameter switches off: so its plan is made once
const variants = new Map<string, SharedStatement>();
const policies = [
  { isBound: false, isRehearsal: false },
  { isBound: false, isRehearsal: true },
  { isBound: true, isRehearsal: false },
];
for (const policy of policies)
  for (const profile of ['asked', 'askedOfHardened', 'any'] as const)
    for (const isNarrowed of [false, true]) {
      const variant = { ...policy, profile, isNarrowed };
      variants.set(nameOf(variant), { one: renewalOfOne(variant), many: renewalOfMany(variant) });
    }

function nameOf({ isBound, isRehearsal, profile, isNarrowed }: Variant): string {
  return [isBound, isRehearsal, profile, isNarrowed].join();
}

/** The values come in the order of `parameters`, then the profile, then the audiences and the scopes that are asked for. */
export const renewalFor = (variant: Variant): SharedStatement => variants.get(nameOf(variant))!;
