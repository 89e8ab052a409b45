/** The access scopes, and types of them, that open an application; each can be changed or removed here. */
import { Link, useNavigate } from '@tanstack/react-router';
import { MappingAct, MappingState } from '../../record/MappingState';
import { OutOfUse } from '../../ui/Badge';
import { Icon } from '../../ui/icons';
import { List } from '../../ui/List';
import type { Column } from '../../ui/Row';
import { IconTile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import type { ApplicationRecord } from '../records';
import { draftOfRow, type Mapping, rowOf, useMappingsOf } from './mappingRows';

export function OpenedBy({ application }: { application: ApplicationRecord }) {
  const pages = useMappingsOf(application.applicationGuid);
  const navigate = useNavigate();
  const target = { guid: application.applicationGuid, name: application.name };
  const listed = (mapping: Mapping) => {
    const row = rowOf(mapping);
    return { name: row.name, state: row.state, draftOf: (to: string | null) => draftOfRow(target, row, to) };
  };
  const columns: Column<Mapping>[] = [
    { key: 'name', label: 'Access scope', width: 'minmax(170px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
    { key: 'link', label: 'Link', width: '112px', cell: OwnLink },
    {
      key: 'state',
      label: 'State',
      width: '150px',
      keepSmall: true,
      cell: (mapping) => <MappingState {...listed(mapping)} />,
    },
    { key: 'changed', label: 'Changed', width: '126px', cell: (mapping) => <Time iso={rowOf(mapping).changed} /> },
    { key: 'act', label: 'Action', width: '112px', acts: true, cell: (mapping) => <MappingAct {...listed(mapping)} /> },
  ];
  return (
    <section className="tab-list" aria-labelledby="opened-by">
      <h2 id="opened-by" className="only-heard">
        Opened by
      </h2>
      <List
        label="Opened by"
        one="access scope"
        placeholder="Access scope"
        pages={pages}
        columns={columns}
        isCounting
        keyOf={(mapping) => rowOf(mapping).guid}
        nameOf={(mapping) => rowOf(mapping).name}
        isFaded={(mapping) => !rowOf(mapping).isActive}
        open={(mapping) => {
          const { isType, guid } = rowOf(mapping);
          void navigate({ to: isType ? '/types/$guid' : '/scopes/$guid', params: { guid } });
        }}
        empty="Give access to it, here or in the matrix."
      />
    </section>
  );
}

function Name(mapping: Mapping) {
  const { isType, guid, name, hint, isActive } = rowOf(mapping);
  return (
    <Link className="cell-name" to={isType ? '/types/$guid' : '/scopes/$guid'} params={{ guid }} tabIndex={-1}>
      <IconTile icon={isType ? 'type' : 'scope'} />
      <span className="two-lines">
        <b>{name}</b>
        <small>{hint}</small>
      </span>
      <OutOfUse isActive={isActive} tiny />
    </Link>
  );
}

function OwnLink(mapping: Mapping) {
  const { link } = rowOf(mapping);
  if (!link) return <span className="mute">application’s</span>;
  return (
    <span className="with-tile" title={link}>
      <Icon name="link" size={14} /> own link
    </span>
  );
}
