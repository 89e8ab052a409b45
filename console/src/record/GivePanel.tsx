/** Gives many people a profile until a date: above the dock, with its effect, before the review. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { putDrafts } from '../drafts';
import { readRecipients } from '../giving';
import { isOver, momentOf, noEnd } from '../grantEnd';
import { mutate } from '../graph';
import { assigningManyDraft } from '../holdingDraft';
import { tryGiving } from '../operations/generated/giving';
import type { TryGivingMutation } from '../operations/generated/graph';
import { useProfilePicks, useRolePicks } from '../picks';
import { ofReview } from '../readAgain';
import { thingsWords } from '../review/Effect';
import { reviewDrafts } from '../review/reviewing';
import { Dialog, DialogFoot } from '../ui/Dialog';
import { Failure } from '../ui/Failure';
import { EndField } from '../ui/GrantEnd';
import { Icon } from '../ui/icons';
import { type Option, Picker } from '../ui/Picker';
import { namesOf, plural } from '../words';
import { useProfileToGive } from './profileToGive';
import '../theme/people.css';

interface GivePanelProps {
  /** Guids of users. */
  people: readonly string[];
  onClose: () => void;
  onDrafted: () => void;
}

export function GivePanel({ people, onClose, onDrafted }: GivePanelProps) {
  const [profile, setProfile] = useState<Option | null>(null);
  const [chosenRole, setRole] = useState<Option | null>(null);
  const [end, setEnd] = useState(noEnd);
  const [profileText, setProfileText] = useState('');
  const [roleText, setRoleText] = useState<string>();
  const profiles = useProfilePicks(profileText);
  const roles = useRolePicks(roleText);
  const about = useProfileToGive(profile?.id);
  const usual = about.data?.userProfiles?.nodes[0]?.role;
  const role = chosenRole ?? (usual ? { id: usual.roleId, label: usual.name } : null);
  const validUntil = momentOf(end);
  const isPast = isOver(validUntil);
  const recipients = useQuery({
    queryKey: [ofReview, 'recipients', profile?.id, people],
    enabled: profile !== null,
    gcTime: 0,
    queryFn: ({ signal }) => readRecipients(people, profile!.id, signal),
  });
  const { receive = [] } = recipients.data ?? {};
  const effect = useQuery({
    queryKey: [ofReview, 'give', profile?.id, role?.id, receive],
    enabled: profile !== null && role !== null && receive.length > 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const assignProfiles = { profileId: profile!.id, roleId: role!.id, userGuids: receive };
      return (await mutate(tryGiving, { changes: [{ assignProfiles }] }, signal)).applyChanges.effect;
    },
  });
  const failed = recipients.error ? recipients : effect;
  const give = () => {
    if (!profile || !role) return;
    const holding = { profileId: profile.id, profileName: profile.label, roleId: role.id, roleName: role.label };
    putDrafts([assigningManyDraft({ ...holding, userGuids: receive, validUntil })]);
    onDrafted();
    reviewDrafts();
  };
  const title = `Give a profile to ${plural(people.length, 'person', 'people')}`;
  const { profile: present } = about.data ?? {};
  return (
    <Dialog className="over-dock" label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="ghost" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div className="give-fields">
        <div>
          <Picker
            label="Profile"
            placeholder="Name of the profile"
            autoFocus
            isOpenAtOnce
            value={profile}
            {...profiles}
            total={profiles.total}
            onText={setProfileText}
            onPick={(next) => {
              setProfile(next);
              setRole(null);
            }}
          />
          {present && (
            <small className="hint">
              {present.opens.totalCount === 0
                ? 'opens nothing today'
                : `opens ${plural(present.opens.totalCount, 'application')}`}
              {present.ownerProfileId && ` · owner: ${present.ownerProfileId}`}
            </small>
          )}
        </div>
        <Picker
          label="Role"
          placeholder="Name of the role"
          value={role}
          {...roles}
          total={roles.total}
          onText={setRoleText}
          onPick={setRole}
        />
        <EndField label="Ends" value={end} onChange={setEnd} />
      </div>
      {failed.error && <Failure error={failed.error} retry={() => void failed.refetch()} />}
      <DialogFoot>
        <p className="grow" role="status">
          {profile && (
            <Told recipients={recipients.data} effect={effect.data ?? undefined} isCounting={effect.isFetching} />
          )}
        </p>
        <button
          type="button"
          className="button primary"
          disabled={!profile || !role || isPast || receive.length === 0}
          onClick={give}
        >
          Review
        </button>
      </DialogFoot>
    </Dialog>
  );
}

interface ToldProps {
  recipients: { receive: readonly string[]; hold: readonly string[]; blocked: number } | undefined;
  effect: NonNullable<NonNullable<TryGivingMutation['applyChanges']>['effect']> | undefined;
  isCounting: boolean;
}

/** What becomes of the people, as the service counts it. */
function Told({ recipients, effect, isCounting }: ToldProps) {
  if (!recipients) return 'Counting…';
  const { receive, hold, blocked } = recipients;
  const others = [
    hold.length > 0 && `${hold.length.toLocaleString('en')} ${hold.length === 1 ? 'holds' : 'hold'} it already`,
    blocked > 0 && `${blocked.toLocaleString('en')} ${blocked === 1 ? 'is' : 'are'} blocked`,
  ].filter(Boolean);
  const rest = others.length > 0 ? `; ${others.join(', ')}` : '';
  if (receive.length === 0) return `Nobody gets it${rest}`;
  if (!effect)
    return `${plural(receive.length, 'person gets', 'people get')} it${rest}${isCounting ? '. Counting…' : ''}`;
  const { gains, outcomes } = effect;
  if (gains.users === 0) {
    const isEmpty = outcomes?.nodes[0]?.reason === 'OPENS_NOTHING';
    return `Nobody gains access: ${isEmpty ? 'the profile opens nothing today' : 'what it opens is open to them already'}${rest}`;
  }
  return (
    <>
      <b className="gain">+ {plural(gains.users, 'person', 'people')}</b> {gains.users === 1 ? 'gains' : 'gain'}{' '}
      {thingsWords(gains)}
      {namesOfGained(gains)}
      {rest}
    </>
  );
}

/** The names, where the number is of one person or the same for all. */
function namesOfGained({
  users,
  applications,
  pairs,
  groups,
  items,
}: NonNullable<ToldProps['effect']>['gains']): string {
  const names = namesOf(
    groups.nodes.map(({ label }) => label),
    applications,
    6,
  );
  const [item] = users === 1 ? items.nodes : [];
  const scopes = item ? namesOf(item.scopes, item.scopes.length) : '';
  const isSame = pairs === users * applications;
  const all = [isSame ? names : '', scopes].filter(Boolean).join('; ');
  return all && `: ${all}`;
}
