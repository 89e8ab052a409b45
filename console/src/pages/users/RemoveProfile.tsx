/** Removes a profile from many people: asks which, and goes to the review. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { putDrafts } from '../../drafts';
import { useProfilePicks } from '../../picks';
import { reviewDrafts } from '../../review/reviewing';
import { Sheet, SheetActs } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { type Option, Picker } from '../../ui/Picker';
import { useSignal } from '../../ui/useSignal';
import { plural } from '../../words';
import { removingDrafts } from './bulk';

interface RemoveProfileProps {
  people: readonly string[];
  onClose: () => void;
  onDrafted: () => void;
}

export function RemoveProfile({ people, onClose, onDrafted }: RemoveProfileProps) {
  const [profile, setProfile] = useState<Option | null>(null);
  const [text, setText] = useState('');
  const profiles = useProfilePicks(text);
  const signalNow = useSignal();
  const drafting = useMutation({
    mutationFn: (profileId: string) => removingDrafts(people, profileId, signalNow()),
    onSuccess: (drafts) => {
      if (drafts.length === 0) return;
      putDrafts(drafts);
      onDrafted();
      reviewDrafts();
    },
  });
  const isBusy = drafting.isPending;
  return (
    <Sheet
      title="Remove a profile"
      sub={`From ${plural(people.length, 'person', 'people')}. You see who loses what before anything is saved.`}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <SheetActs
          onBack={onClose}
          label="Review"
          act={() => profile && drafting.mutate(profile.id)}
          isBusy={isBusy}
          isLacking={!profile}
        />
      }
    >
      {/* what is being read is for this choice */}
      <div inert={isBusy}>
        <Picker
          label="Profile"
          placeholder="Name of the profile"
          autoFocus
          isOpenAtOnce
          value={profile}
          {...profiles}
          total={profiles.total}
          onText={setText}
          onPick={(next) => {
            drafting.reset();
            setProfile(next);
          }}
        />
      </div>
      {drafting.data?.length === 0 && (
        <p className="notice" role="status">
          None of them holds it.
        </p>
      )}
      {drafting.error && <Failure error={drafting.error} />}
    </Sheet>
  );
}
