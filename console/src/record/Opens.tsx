/** The applications that an access scope, or a type of them, opens. */
import { Link } from '@tanstack/react-router';
import { type Draft, dropDrafts, putDrafts, useDrafts } from '../drafts';
import type { Named } from '../mappingDraft';
import { isOpening, openState } from '../openingStates';
import { useMay } from '../session';
import { Badge, MappingState } from '../ui/Badge';
import { Empty } from '../ui/Empty';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';

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
  const mayChange = useMay('admin:write');
  const drafts = useDrafts();
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
          const change = draftOf({ guid, name }, state, isOpening(state) ? null : openState());
          const draft = drafts.find(({ key }) => key === change.key);
          const act = draft ? 'Take back' : isOpening(state) ? 'Take' : 'Make active';
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
              {draft ? (
                <Badge tone={draft.sign === 'gain' ? 'gain' : 'loss'}>will be {draft.to}</Badge>
              ) : (
                <MappingState state={state} />
              )}
              {mayChange && (
                <button
                  type="button"
                  className="button small"
                  aria-label={`${act}: ${name}`}
                  onClick={() => (draft ? dropDrafts([draft.key]) : putDrafts([change]))}
                >
                  {act}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
