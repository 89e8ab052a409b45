/** The access scopes, and types of them, that open an application; each can be changed or taken here. */

import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useAddress } from '../../address';
import { MappingAct, MappingState } from '../../record/MappingState';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Icon } from '../../ui/icons';
import { SearchField } from '../../ui/SearchField';
import { IconTile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import { wordsOf } from '../../words';
import type { ApplicationRecord } from '../records';
import { draftOfRow, type MappingRow, mappingRows } from './mappingRows';

export function OpenedBy({ application }: { application: ApplicationRecord }) {
  const [{ q = '' }, change] = useAddress<{ q?: string }>();
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const rows = mappingRows(application);
  const words = wordsOf(q.toLowerCase());
  const shown = rows.filter(({ name, hint }) => words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)));
  return (
    <section className="card" aria-labelledby="opened-by">
      <header>
        <h2 id="opened-by">Opened by</h2>
        <span className="grow" />
        <SearchField label="Search access scopes" placeholder="Access scope" value={q} onChange={searchFor} />
      </header>
      {rows.length === 0 ? (
        <Empty icon="scope" title="Nothing opens it yet">
          Give access to it, here or in the matrix.
        </Empty>
      ) : shown.length === 0 ? (
        <p className="note">No access scope here has such a name.</p>
      ) : (
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">Access scope</th>
              <th scope="col" className="hide-small">
                Link
              </th>
              <th scope="col">State</th>
              <th scope="col" className="hide-small">
                Changed
              </th>
              <th scope="col" className="hide-small">
                <span className="only-heard">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Mapping key={row.guid} row={row} application={application} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Mapping({ row, application }: { row: MappingRow; application: ApplicationRecord }) {
  const target = { guid: application.applicationGuid, name: application.name };
  const mapping = { name: row.name, state: row.state, draftOf: (to: string | null) => draftOfRow(target, row, to) };
  return (
    <tr>
      <td>
        <Link className="with-tile" to={row.isType ? '/types/$guid' : '/scopes/$guid'} params={{ guid: row.guid }}>
          <IconTile icon={row.isType ? 'type' : 'scope'} />
          <span className="two-lines">
            <b>
              {row.name} {!row.isActive && <Badge tiny>out of use</Badge>}
            </b>
            <small>{row.hint}</small>
          </span>
        </Link>
      </td>
      <td className="hide-small">
        {row.link ? (
          <span className="with-tile" title={row.link}>
            <Icon name="link" size={14} /> own link
          </span>
        ) : (
          'application’s'
        )}
      </td>
      <td>
        <MappingState {...mapping} />
      </td>
      <td className="hide-small">
        <Time iso={row.changed} />
      </td>
      <td className="end hide-small">
        <MappingAct {...mapping} />
      </td>
    </tr>
  );
}
