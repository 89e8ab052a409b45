/** Starts an access review of all grants, or of a part of them, with its size before it starts; what is typed is kept until then. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { dayIn, endOf, inServiceZone } from '../../grantEnd';
import { ask, mutate, sendOnce } from '../../graph';
import { useKept } from '../../kept';
import type { ReviewFilter } from '../../operations/generated/graph';
import { reviewSize, startReview } from '../../operations/generated/reviews';
import { type Picks, useDepartmentPicks, useProfilePicks } from '../../picks';
import { Sheet } from '../../ui/Dialog';
import { Failure } from '../../ui/Failure';
import { Icon } from '../../ui/icons';
import { type Option, Picker } from '../../ui/Picker';
import { plural } from '../../words';

type Which = 'all' | 'people' | 'unused' | 'administration';

interface Typed {
  name: string;
  /** Absent: in 30 days. */
  due?: string;
  undecided: 'KEEP' | 'END';
  which: Which;
  departments: readonly Option[];
  profiles: readonly Option[];
  owners: readonly Option[];
}

const nothing: Typed = { name: '', undecided: 'KEEP', which: 'people', departments: [], profiles: [], owners: [] };

export function StartReview({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, keep] = useKept('start review', nothing);
  const { name, due = dayIn(30), undecided, which, departments, profiles, owners } = typed;
  const set = (some: Partial<Typed>) => keep({ ...typed, ...some });
  const idsOf = (options: readonly Option[]) => options.map(({ id }) => id);
  const filter: ReviewFilter = {
    ...(which === 'people' && { kinds: ['USER_PROFILE' as const] }),
    ...(which === 'unused' && { unusedDays: 90 }),
    ...(which === 'administration' && { administration: true }),
    ...(departments.length > 0 && { departments: idsOf(departments) }),
    ...(profiles.length > 0 && { profileIds: idsOf(profiles) }),
    ...(owners.length > 0 && { ownerProfileIds: idsOf(owners) }),
  };
  const size = useQuery({
    queryKey: ['review size', filter],
    // grants are given and end all the time
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await ask(reviewSize, { filter }, signal)).reviewSize,
  });
  const starting = useMutation({
    mutationFn: async () => {
      const what = { name, filter, dueAt: endOf(due), undecided };
      return sendOnce(
        what,
        async (reviewGuid) => (await mutate(startReview, { ...what, reviewGuid })).startReview.reviewGuid,
      );
    },
    onSuccess: async (guid) => {
      await navigate({ to: '/reviews/$guid', params: { guid } });
      keep(undefined);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate();
  };
  const { grants = 0, people = 0, profiles: reviewed = 0, isTooLarge = false } = size.data ?? {};
  const isKnown = size.data !== undefined && !size.isPlaceholderData;
  const words = !isKnown
    ? 'Counting…'
    : grants === 0
      ? 'No grant matches: there is nothing to review.'
      : isTooLarge
        ? `${plural(grants, 'grant')} are too many for one review. Choose a part of them.`
        : `${plural(grants, 'grant')}${people > 0 ? ` of ${plural(people, 'person', 'people')}` : ''} in ${plural(reviewed, 'profile')} will be reviewed.`;
  return (
    <Sheet
      title="Start an access review"
      sub="It covers the grants that exist now."
      isBusy={starting.isPending}
      onClose={onClose}
      foot={
        <>
          <p className="grow" role="status">
            {size.error ? '' : words}
          </p>
          <button
            type="submit"
            form="start-review"
            className="button primary"
            disabled={starting.isPending || name.trim() === '' || due === '' || !isKnown || grants === 0 || isTooLarge}
          >
            Start
          </button>
        </>
      }
    >
      <form id="start-review" className="review-form" onSubmit={submit}>
        <label>
          Name
          <input
            className="input"
            maxLength={200}
            value={name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </label>
        <label>
          Grants
          <select className="input" value={which} onChange={({ target }) => set({ which: target.value as Which })}>
            <option value="people">Profiles that people hold</option>
            <option value="unused">Profiles that people have not used for 90 days</option>
            <option value="administration">Profiles with administration scopes</option>
            <option value="all">All: people, and access scopes of profiles</option>
          </select>
        </label>
        <Part
          label="Only people of departments"
          placeholder="All departments"
          isPlain
          usePicks={useDepartmentPicks}
          chosen={departments}
          onChange={(chosen) => set({ departments: chosen })}
        />
        <Part
          label="Only profiles"
          placeholder="All profiles"
          usePicks={useProfilePicks}
          chosen={profiles}
          onChange={(chosen) => set({ profiles: chosen })}
        />
        <Part
          label="Only profiles owned by"
          placeholder="All owners"
          usePicks={useProfilePicks}
          chosen={owners}
          onChange={(chosen) => set({ owners: chosen })}
        />
        <label>
          Due on{inServiceZone() && `, until the end of the day${inServiceZone()}`}
          <input className="input" type="date" value={due} onChange={({ target }) => set({ due: target.value })} />
        </label>
        <label>
          Grants that nobody decided about
          <select
            className="input"
            value={undecided}
            onChange={({ target }) => set({ undecided: target.value as typeof undecided })}
          >
            <option value="KEEP">stay</option>
            <option value="END">end</option>
          </select>
        </label>
        {size.error && <Failure error={size.error} retry={() => void size.refetch()} />}
        {starting.error && <Failure error={starting.error} />}
      </form>
    </Sheet>
  );
}

interface PartProps {
  label: string;
  placeholder: string;
  usePicks: (text: string | undefined) => Picks;
  isPlain?: boolean;
  chosen: readonly Option[];
  onChange: (chosen: readonly Option[]) => void;
}

/** Any number of values, one of which must hold. */
function Part({ label, placeholder, usePicks, isPlain = false, chosen, onChange }: PartProps) {
  const [text, setText] = useState<string>();
  const picks = usePicks(text);
  return (
    <div>
      <Picker
        label={label}
        placeholder={placeholder}
        isPlain={isPlain}
        value={null}
        {...picks}
        total={picks.total}
        onText={setText}
        onPick={(option) => !chosen.some(({ id }) => id === option.id) && onChange([...chosen, option])}
      />
      {chosen.length > 0 && (
        <ul className="chips" aria-label={label}>
          {chosen.map(({ id, label: name }) => (
            <li key={id} className="token">
              <span className="cell-text">{name}</span>
              <button
                type="button"
                aria-label={`Leave out ${name}`}
                onClick={() => onChange(chosen.filter((each) => each.id !== id))}
              >
                <Icon name="x" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
