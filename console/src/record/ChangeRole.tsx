/** Another role for people who hold a profile: the new grant with the same end, then the old one goes. */
import { useState } from 'react';
import { type Draft, putDrafts } from '../drafts';
import { assigningDraft, type Holding, unassigningDraft } from '../holdingDraft';
import { useRolePicks } from '../picks';
import { reviewDrafts } from '../review/reviewing';
import { Sheet, SheetActs } from '../ui/Dialog';
import { type Option, Picker } from '../ui/Picker';
import { plural } from '../words';

interface ChangeRoleProps {
  holdings: readonly (Holding & { revision: number; validUntil: string | null })[];
  onClose: () => void;
  onDrafted: () => void;
}

export function ChangeRole({ holdings, onClose, onDrafted }: ChangeRoleProps) {
  const [role, setRole] = useState<Option | null>(null);
  const [text, setText] = useState('');
  const roles = useRolePicks(text);
  const others = holdings.filter(({ roleId }) => roleId !== role?.id);
  const change = () => {
    if (!role) return;
    putDrafts(
      others.flatMap((holding) => [
        assigningDraft({ ...holding, roleId: role.id, roleName: role.label }, holding.validUntil),
        // the profile is held all the time, so no session ends
        withoutWarning(unassigningDraft(holding)),
      ]),
    );
    onDrafted();
    reviewDrafts();
  };
  return (
    <Sheet
      title="Change the role"
      sub={`Of ${plural(holdings.length, 'grant')}. The profile and the end stay.`}
      onClose={onClose}
      foot={<SheetActs onBack={onClose} label="Review" act={change} isLacking={!role || others.length === 0} />}
    >
      <Picker
        label="New role"
        placeholder="Name of the role"
        autoFocus
        isOpenAtOnce
        value={role}
        {...roles}
        total={roles.total}
        onText={setText}
        onPick={setRole}
      />
      {role && others.length === 0 && (
        <p className="notice" role="status">
          All of them have this role already.
        </p>
      )}
    </Sheet>
  );
}

const withoutWarning = ({ warning: _warning, ...draft }: Draft): Draft => draft;
