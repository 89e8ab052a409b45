/** Why a grant is there, beside its row: who gave it and when, its last use, what it opens, and the decision. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ask } from '../../graph';
import type { ReviewItemRowsQuery } from '../../operations/generated/graph';
import { reviewOpens } from '../../operations/generated/reviews';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { GrantEnd } from '../../ui/GrantEnd';
import { Icon } from '../../ui/icons';
import { LastUse, Time } from '../../ui/Time';
import { nameAndMail, plural } from '../../words';

type Item = NonNullable<ReviewItemRowsQuery['review']>['items']['nodes'][number];

interface GrantProps {
  item: Item;
  /** Absent: nobody decides here. */
  acts?: readonly { label: string; isChosen: boolean | undefined; act: () => void }[];
  onClose: () => void;
}

export function Grant({ item, acts, onClose }: GrantProps) {
  const { profileId, profileName, accessScopeGuid, accessScopeName, userGuid, userName, userEmail } = item;
  const opened = useQuery({
    queryKey: ['reviews', 'opens', profileId, accessScopeGuid],
    queryFn: async ({ signal }) => (await ask(reviewOpens, { profileId, accessScopeGuid }, signal)).profile,
  });
  useEffect(() => {
    const close = ({ key, target }: KeyboardEvent) => {
      const isOfDialog = target instanceof Element && target.closest('dialog') !== null;
      if (key === 'Escape' && !isOfDialog) onClose();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [onClose]);
  const opens = opened.data?.opens;
  return (
    <aside className="review-grant" aria-label="Why">
      <header>
        <h2>{accessScopeName ?? userName ?? userEmail ?? 'unnamed person'}</h2>
        <button type="button" className="ghost" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      {userEmail && <p className="sub">{[userEmail, item.department].filter(Boolean).join(' · ')}</p>}
      <dl className="review-facts">
        <dt>{accessScopeName ? 'Of the profile' : 'Holds'}</dt>
        <dd>
          <Link to="/profiles/$id" params={{ id: profileId }}>
            {profileName}
          </Link>
          {item.roleId && ` as ${item.role?.name ?? item.roleId}`}
        </dd>
        <dt>Granted</dt>
        <dd>
          <Time iso={item.grantedAt} />
          {item.grantedByNavigation && ` by ${nameAndMail(item.grantedByNavigation)}`}
        </dd>
        {item.kind === 'USER_PROFILE' && (
          <>
            <dt>Last used</dt>
            <dd>
              <LastUse iso={item.lastUsedAt} />
            </dd>
          </>
        )}
        <dt>Ends</dt>
        <dd>
          <GrantEnd iso={item.validUntil} absent="no end" />
        </dd>
        {item.managedBy && (
          <>
            <dt>Managed by</dt>
            <dd>{item.managedBy}</dd>
          </>
        )}
        {item.decidedAt && (
          <>
            <dt>Decided</dt>
            <dd>
              <Time iso={item.decidedAt} />
              {item.decidedByNavigation && ` by ${nameAndMail(item.decidedByNavigation)}`}
              {item.decisionNote && `: ${item.decisionNote}`}
            </dd>
          </>
        )}
      </dl>
      {item.isUnusual && (
        <p className="notice near">Fewer than 5 % of the people in {item.department} hold this profile.</p>
      )}
      {acts && (
        <fieldset className="review-acts" aria-label="Decision">
          {acts.map(({ label, isChosen, act }) => (
            <button key={label} type="button" className="button" aria-pressed={isChosen} onClick={act}>
              {label}
            </button>
          ))}
        </fieldset>
      )}
      <h3>Opens {opens ? plural(opens.totalCount, 'application') : ''} now</h3>
      <p className="sub">At the start of the review: {plural(item.opens, 'application')}.</p>
      {opened.isPending && <Loading lines={3} />}
      {opened.error && <Failure error={opened.error} retry={() => void opened.refetch()} />}
      {opened.data === null && <p>The profile does not exist any more.</p>}
      {opens && (
        <ul>
          {opens.nodes.map(({ application, accessScopes, accessScopeTypes, profiles }) => (
            <li key={application.applicationGuid}>
              {userGuid ? (
                <Link to="/why" search={{ user: userGuid, application: application.applicationGuid } as never}>
                  {application.name}
                </Link>
              ) : (
                <Link to="/applications/$guid" params={{ guid: application.applicationGuid }}>
                  {application.name}
                </Link>
              )}
              <small>
                {[
                  ...accessScopes.map(({ name }) => name),
                  ...accessScopeTypes.map(({ name }) => `all of ${name}`),
                ].join(', ')}
                {' · '}
                {profiles > 1
                  ? plural(profiles - 1, 'other profile opens it', 'other profiles open it')
                  : 'only this profile opens it'}
              </small>
            </li>
          ))}
        </ul>
      )}
      {opens && opens.totalCount > opens.nodes.length && (
        <Link to="/profiles/$id" params={{ id: profileId }}>
          Shown: {opens.nodes.length} of {opens.totalCount.toLocaleString('en')}
        </Link>
      )}
    </aside>
  );
}
