/** Gives a profile to people: pasted as e-mail addresses, by department, or one by one; says first who does not get it, and why. */
import { useState } from 'react';
import { putDrafts } from '../../drafts';
import { isOver, momentOf, noEnd } from '../../grantEnd';
import { assigningManyDraft, endingDraft } from '../../holdingDraft';
import { useKept } from '../../kept';
import { useRolePicks } from '../../picks';
import { useProfileToGive } from '../../record/profileToGive';
import { reviewDrafts } from '../../review/reviewing';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { EndField } from '../../ui/GrantEnd';
import { type Option, Picker } from '../../ui/Picker';
import { Segments } from '../../ui/Segments';
import { plural } from '../../words';
import type { ProfileRecord } from '../records';
import { useChosen, useDepartment, usePasted } from './found';
import { DepartmentField, PastedField, PeopleField } from './PeopleFields';
import { WhoGetsIt } from './WhoGetsIt';
import '../../theme/people.css';

const ways = [
  ['paste', 'Paste e-mails'],
  ['department', 'By department'],
  ['one', 'One by one'],
] as const;
type Way = (typeof ways)[number][0];

export function AddPeople({ profile, onClose }: { profile: ProfileRecord; onClose: () => void }) {
  const { profileId, name } = profile;
  const [way, setWay] = useState<Way>('paste');
  const [text, setText] = useKept(`people to add to ${profileId}`, '');
  const [department, setDepartment] = useState<string>();
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  const [chosenRole, setRole] = useState<Option | null>(null);
  const [roleText, setRoleText] = useState<string>();
  const [end, setEnd] = useState(noEnd);
  const [isExtending, setExtending] = useState(false);
  const roles = useRolePicks(roleText);
  const usual = useProfileToGive(profileId).data?.userProfiles?.nodes[0]?.role;
  const role = chosenRole ?? (usual ? { id: usual.roleId, label: usual.name } : null);
  const pasted = usePasted(way === 'paste' ? text : '', profileId);
  const ofDepartment = useDepartment(way === 'department' ? department : undefined, profileId);
  const oneByOne = useChosen(way === 'one' ? chosen : none, profileId);
  const found = { paste: pasted, department: ofDepartment, one: oneByOne }[way];
  const validUntil = momentOf(end);
  const isPast = isOver(validUntil);
  // what has no end, or a later one, is not made shorter by the way
  const extended = found.holders.filter(
    (holder) =>
      holder.validUntil !== null && (validUntil === null || Date.parse(holder.validUntil) < Date.parse(validUntil)),
  );
  const count = found.receive.length;
  const extending = isExtending ? extended : [];
  const add = () => {
    const given = { profileId, profileName: name };
    const giving = role && { ...given, roleId: role.id, roleName: role.label, userGuids: found.receive, validUntil };
    putDrafts([
      ...(giving && count > 0 ? [assigningManyDraft(giving)] : []),
      ...extending.map(({ person, roleId, roleName, validUntil: before }) =>
        endingDraft({ user: person, ...given, roleId, roleName, validUntil: before }, validUntil),
      ),
    ]);
    setText(undefined);
    onClose();
    reviewDrafts();
  };
  const label = [
    (count > 0 || extending.length === 0) && `Add ${plural(count, 'person', 'people')}`,
    extending.length > 0 && `${count > 0 ? 'extend' : 'Extend'} ${extending.length.toLocaleString('en')}`,
  ];
  const mayAdd = !isPast && !found.problem && !found.isReading && count + extending.length > 0;
  return (
    <Sheet
      title={`Add people to ${name}`}
      sub={`They get what it opens: ${plural(profile.opens.totalCount, 'application')}.`}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <span className="grow" />
          <button type="button" className="button primary" disabled={!mayAdd || (count > 0 && !role)} onClick={add}>
            {label.filter(Boolean).join(', ')}
          </button>
        </>
      }
    >
      <div className="add-people">
        <Segments label="How people are found" value={way} options={ways} onChange={setWay} />
        {way === 'paste' && <PastedField value={text} onChange={setText} lines={pasted.lines} />}
        {way === 'department' && <DepartmentField value={department} onChange={setDepartment} />}
        {way === 'one' && <PeopleField chosen={chosen} onChange={setChosen} />}
        <div className="give-fields two">
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
        {found.problem && (
          <p className="notice near" role="alert">
            {found.problem}
          </p>
        )}
        {found.error && <Failure error={found.error} retry={found.retry} />}
        <WhoGetsIt
          found={found}
          extended={extended}
          isExtending={isExtending}
          onExtend={() => setExtending(!isExtending)}
          {...(way === 'paste' && {
            onReplace: (email: string, by: string) => setText(pasted.withReplaced(email, by)),
          })}
        />
      </div>
    </Sheet>
  );
}

const none: readonly Option[] = [];
