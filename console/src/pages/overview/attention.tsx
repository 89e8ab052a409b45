/** Lines of the overview, and those of what needs attention. */
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortDate } from '../../grantEnd';
import type { OverviewQuery } from '../../operations/generated/graph';
import { Icon } from '../../ui/icons';
import { IconTile } from '../../ui/Tile';
import { Time } from '../../ui/Time';
import { plural } from '../../words';

/** Something to look at: what it is, more about it, how much it is, and where it leads. */
export interface Line {
  key: string;
  mark?: ReactNode;
  text: ReactNode;
  detail?: ReactNode;
  /** In large figures. */
  amount?: ReactNode;
  /** In small words. */
  end?: ReactNode;
  below?: ReactNode;
  isNear?: boolean;
  to?: Pick<LinkProps, 'to' | 'search'>;
}

export const number = (count: number) => count.toLocaleString('en');

/** What needs attention, without what ends and what waits: those have cards of their own. */
export function rowsOf({ overview, signingKeys }: OverviewQuery): Line[] {
  const { grantsEnding, changedByHand, nextKeyAt, twoSecrets, blockedHolders, unusedGrants } = overview;
  const lines: Line[] = [];
  if (grantsEnding && grantsEnding.total > 0)
    lines.push({
      key: 'ending',
      mark: <IconTile icon="clock" />,
      text: `${grantsEnding.total === 1 ? 'Grant ends' : 'Grants end'} in the next 30 days`,
      detail: `${number(grantsEnding.thisWeek)} this week.${lastWords(grantsEnding.lastProfile)}`,
      amount: number(grantsEnding.total),
      to: { to: '/ending' },
    });
  for (const { managedBy, appliedAt, records } of changedByHand ?? [])
    lines.push({
      key: `hand ${managedBy}`,
      mark: <IconTile icon="branch" />,
      text: `Changed by hand, and managed by ${managedBy}`,
      detail: (
        <>
          The file was applied <Time iso={appliedAt} />. Applying it again may revert them.
        </>
      ),
      amount: number(records),
      isNear: true,
    });
  if (nextKeyAt && Date.parse(nextKeyAt) - Date.now() < weekMs)
    lines.push({
      key: 'key',
      mark: <IconTile icon="key" />,
      text: 'The next signing key takes over',
      amount: <Time iso={nextKeyAt} />,
      to: { to: '/keys' },
    });
  const isMissing = signingKeys?.nodes.every(({ state }) => state !== 'next');
  const old = signingKeys?.nodes.find(
    ({ activatedAt }) => activatedAt && Date.now() - Date.parse(activatedAt) > keyDays,
  );
  if (isMissing || (nextKeyAt === null && old))
    lines.push({
      key: 'old key',
      mark: <IconTile icon="key" />,
      text: isMissing ? (
        'No next signing key is published'
      ) : (
        <>
          The signing key signs since <Time iso={old?.activatedAt} />, and no other takes over by itself
        </>
      ),
      amount: <Icon name="alert" size={18} />,
      isNear: true,
      to: { to: '/keys' },
    });
  if (twoSecrets && twoSecrets.totalCount > 0)
    lines.push({
      key: 'secrets',
      mark: <IconTile icon="client" />,
      text: `${twoSecrets.totalCount === 1 ? 'Client has' : 'Clients have'} two secrets`,
      detail: twoSecrets.nodes.slice(0, 1).map(({ clientId, name, previousSecretEndsAt }) => (
        <span key={clientId}>
          The old secret of {name} ends <Time iso={previousSecretEndsAt} />.
        </span>
      )),
      amount: number(twoSecrets.totalCount),
      isNear: true,
      to: { to: '/clients', search: { view: 'two' } as never },
    });
  if (blockedHolders)
    lines.push({
      key: 'blocked',
      mark: <IconTile icon="block" />,
      text: blockedHolders === 1 ? 'Blocked person holds profiles' : 'Blocked people hold profiles',
      amount: number(blockedHolders),
      to: { to: '/users', search: { view: 'blocked', profile: '*' } as never },
    });
  if (unusedGrants && unusedGrants.total > 0)
    lines.push({
      key: 'unused',
      mark: <IconTile icon="users" />,
      text: `${unusedGrants.total === 1 ? 'Grant was' : 'Grants were'} not used for 90 days`,
      detail: `${number(unusedGrants.never)} of them never, counted since ${shortDate(unusedGrants.usesCountedSince)}. An access review can end them.`,
      amount: number(unusedGrants.total),
      to: { to: '/ending', search: { view: 'unused' } as never },
    });
  return lines;
}

const lastWords = (people: number): string =>
  people === 0 ? '' : ` For ${plural(people, 'person', 'people')} it is the last profile they hold.`;

const weekMs = 7 * 86_400_000;
/** Where keys are rotated by hand: the age at which one is old. */
const keyDays = 90 * 86_400_000;
