/** The applications that an access scope, or a type of them, opens. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { Draft } from '../drafts';
import type { Named } from '../mappingDraft';
import type { Pages } from '../pages';
import { OutOfUse } from '../ui/Badge';
import { List } from '../ui/List';
import type { Column } from '../ui/Row';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { MappingAct, MappingState } from './MappingState';

interface Mapping {
  state: string;
  createdDate: string;
  modifiedDate: string | null;
  application: { applicationGuid: string; name: string; isActive: boolean };
}

interface OpensProps {
  pages: Pages<Mapping>;
  draftOf: (application: Named, from: string | null, to: string | null) => Draft;
}

export function Opens({ pages, draftOf }: OpensProps) {
  const navigate = useNavigate();
  const listed = ({ state, application: { applicationGuid: guid, name } }: Mapping) => ({
    name,
    state,
    draftOf: (to: string | null) => draftOf({ guid, name }, state, to),
  });
  const columns: Column<Mapping>[] = [
    { key: 'name', label: 'Application', width: 'minmax(220px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
    {
      key: 'state',
      label: 'State',
      width: '170px',
      sorts: true,
      keepSmall: true,
      cell: (mapping) => <MappingState {...listed(mapping)} />,
    },
    {
      key: 'modifiedDate',
      label: 'Changed',
      width: '126px',
      cell: ({ modifiedDate, createdDate }) => <Time iso={modifiedDate ?? createdDate} />,
    },
    { key: 'act', label: 'Action', width: '120px', acts: true, cell: (mapping) => <MappingAct {...listed(mapping)} /> },
  ];
  return (
    <div className="tab-list">
      <List
        label="Opens"
        one="application"
        placeholder="Application"
        pages={pages}
        columns={columns}
        isCounting
        keyOf={({ application }) => application.applicationGuid}
        nameOf={({ application }) => application.name}
        isFaded={({ application }) => !application.isActive}
        open={({ application: { applicationGuid: guid } }) =>
          void navigate({ to: '/applications/$guid', params: { guid } })
        }
        empty="Open applications with it in the matrix."
      />
    </div>
  );
}

const Name = ({ application: { applicationGuid: guid, name, isActive } }: Mapping) => (
  <Link className="cell-name" to="/applications/$guid" params={{ guid }} tabIndex={-1}>
    <Tile name={name} />
    <b>{name}</b>
    <OutOfUse isActive={isActive} tiny />
  </Link>
);
