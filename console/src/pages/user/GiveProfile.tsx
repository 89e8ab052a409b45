/** Gives a user a profile in a role: asks which, and goes to the review. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { putDrafts } from '../../drafts';
import { all, profileWords, roleWords } from '../../filters';
import { isOver, momentOf, noEnd } from '../../grantEnd';
import { ask } from '../../graph';
import { assigningDraft, type HoldingPerson } from '../../holdingDraft';
import { pickRoles } from '../../operations/generated/pickers';
import { profilesToGive } from '../../operations/generated/user';
import { reviewDrafts } from '../../review/reviewing';
import { Sheet, SheetActs } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { EndField } from '../../ui/GrantEnd';
import { type Option, Picker } from '../../ui/Picker';
import { fullName, nameAndMail } from '../../words';
import { givesWords, type Preview, WouldGive } from './WouldGive';

interface GiveProfileProps {
  user: HoldingPerson & { isBlocked: boolean };
  onClose: () => void;
}

export function GiveProfile({ user, onClose }: GiveProfileProps) {
  const [profile, setProfile] = useState<(Option & { preview: Preview }) | null>(null);
  const [role, setRole] = useState<Option | null>(null);
  const [end, setEnd] = useState(noEnd);
  const [profileText, setProfileText] = useState('');
  const [roleText, setRoleText] = useState('');
  const profiles = useQuery({
    queryKey: ['profiles to give', user.userGuid, profileText],
    queryFn: ({ signal }) =>
      ask(profilesToGive, { userGuid: user.userGuid, filter: all(profileWords(profileText)) ?? null }, signal),
  });
  const roles = useQuery({
    queryKey: ['pick roles', roleText],
    queryFn: ({ signal }) => ask(pickRoles, { filter: all(roleWords(roleText)) ?? null }, signal),
  });
  const failed = profiles.error ? profiles : roles;
  const give = () => {
    if (!profile || !role) return;
    const holding = { profileId: profile.id, profileName: profile.label, roleId: role.id, roleName: role.label };
    putDrafts([assigningDraft({ user, ...holding }, momentOf(end))]);
    onClose();
    reviewDrafts();
  };
  return (
    <Sheet
      title="Give a profile"
      onClose={onClose}
      foot={
        <SheetActs onBack={onClose} label="Review" act={give} isLacking={!profile || !role || isOver(momentOf(end))} />
      }
    >
      <p className="mute">Which profile should {nameAndMail(user)} hold, and in which role?</p>
      <br />
      <Picker
        label="Profile"
        placeholder="Name of the profile"
        autoFocus
        value={profile}
        options={(profiles.data?.profiles.nodes ?? []).map(({ profileId, name, wouldGive: preview }) => ({
          id: profileId,
          label: name,
          hint: `${givesWords(preview, user.isBlocked)} · ${profileId}`,
          preview,
        }))}
        total={profiles.data?.profiles.totalCount}
        found={profiles}
        onText={setProfileText}
        onPick={setProfile}
      />
      {profile && <WouldGive preview={profile.preview} name={fullName(user)} isBlocked={user.isBlocked} />}
      <br />
      <Picker
        label="Role"
        placeholder="Name of the role"
        value={role}
        options={(roles.data?.roles.nodes ?? []).map(({ roleId, name }) => ({ id: roleId, label: name, hint: roleId }))}
        total={roles.data?.roles.totalCount}
        found={roles}
        onText={setRoleText}
        onPick={setRole}
      />
      <br />
      <EndField label="Last day" value={end} onChange={setEnd} />
      {failed.error && <Failure error={failed.error} retry={() => void failed.refetch()} />}
    </Sheet>
  );
}
