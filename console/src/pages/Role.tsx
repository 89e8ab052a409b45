/** One role: who has it in which profile, its settings and history. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { putDrafts } from '../drafts';
import { ask } from '../graph';
import type { RolePageQuery } from '../operations/generated/graph';
import { rolePage } from '../operations/generated/roles';
import { Answered } from '../record/Answered';
import type { FormField } from '../record/formField';
import { HistoryTab } from '../record/HistoryTab';
import { Holders } from '../record/Holders';
import { Crumbs, RecordHead, Tabs } from '../record/Page';
import { SettingsCard } from '../record/SettingsCard';
import { Stamps } from '../record/Stamps';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { NotFound } from '../ui/Empty';
import { Id } from '../ui/Id';
import { Icon } from '../ui/icons';
import { ManagedBy } from '../ui/ManagedBy';
import { More } from '../ui/More';
import { IconTile } from '../ui/Tile';

type Record = NonNullable<RolePageQuery['role']>;

export const roleFields: readonly FormField[] = [
  { name: 'name', width: 4, isRequired: true },
  { name: 'description', kind: 'area' },
];

export function Role() {
  const { id } = useParams({ from: '/roles/$id' });
  const page = useQuery({
    queryKey: ['role', id],
    queryFn: ({ signal }) => ask(rolePage, { roleId: id, held: id }, signal),
  });
  return (
    <Answered query={page}>
      {({ role, people }) => (role ? <Found role={role} people={people} /> : <NotFound />)}
    </Answered>
  );
}

function Found({ role, people }: { role: Record; people: RolePageQuery['people'] }) {
  const mayChange = useMay('admin:write');
  const { roleId, name, description, revision, userProfiles } = role;
  const subject = { kind: 'role' as const, id: roleId, name };
  const remove = () => {
    putDrafts([
      {
        key: `remove role ${roleId}`,
        subject,
        label: 'The role',
        from: 'there',
        to: 'removed',
        sign: 'loss',
        change: { deleteRole: { roleId, ifRevision: revision } },
      },
    ]);
    reviewDrafts();
  };
  const tabs = [
    {
      key: 'holders',
      label: 'People',
      count: people.totalCount,
      content: () => <Holders of="role" id={roleId} />,
    },
    {
      key: 'settings',
      label: 'Settings',
      content: () => (
        <SettingsCard
          subject={subject}
          fields={roleFields}
          present={role}
          change={(input) => ({ updateRole: { roleId, ifRevision: revision, input } })}
        />
      ),
    },
    {
      key: 'history',
      label: 'History',
      needs: 'admin:security',
      content: () => <HistoryTab subjectType="Role" subjectId={roleId} />,
    },
  ];
  return (
    <div className="page">
      <Crumbs to="/roles" label="Roles" name={name} />
      <RecordHead
        tile={<IconTile icon="role" size="large" />}
        name={name}
        badge={<ManagedBy name={role.managedBy} />}
        sub={
          <>
            {description && <span>{description} · </span>}
            <Id text={roleId} />
          </>
        }
        more={
          mayChange &&
          userProfiles.totalCount === 0 && (
            <More label="More about this role">
              <button type="button" className="danger" onClick={remove}>
                <Icon name="minus" size={16} />
                Remove…
              </button>
            </More>
          )
        }
      />
      <Tabs tabs={tabs} />
      <Stamps {...role} />
    </div>
  );
}
