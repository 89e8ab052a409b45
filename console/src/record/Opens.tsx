/** The applications that an access scope, or a type of them, opens. */
import { Link } from '@tanstack/react-router';
import type { Draft } from '../drafts';
import type { Named } from '../mappingDraft';
import { Empty } from '../ui/Empty';
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
  mappings: readonly Mapping[];
  draftOf: (application: Named, from: string | null, to: string | null) => Draft;
}

export function Opens({ mappings, draftOf }: OpensProps) {
  if (mappings.length === 0)
    return (
      <Empty icon="apps" title="It opens nothing yet">
        In the matrix it can open applications.
      </Empty>
    );
  return (
    <section className="card" aria-label="Opens">
      <ul className="items">
        {mappings.map(({ state, createdDate, modifiedDate, application }) => {
          const { applicationGuid: guid, name, isActive } = application;
          const mapping = { name, state, draftOf: (to: string | null) => draftOf({ guid, name }, state, to) };
          return (
            <li key={guid}>
              <Link className="with-tile" to="/applications/$guid" params={{ guid }}>
                <Tile name={name} />
                <span className="two-lines">
                  <b>{name}</b>
                  <small>
                    {!isActive && 'out of use, '}changed <Time iso={modifiedDate ?? createdDate} />
                  </small>
                </span>
              </Link>
              <span className="grow" />
              <MappingState {...mapping} />
              <MappingAct {...mapping} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
