/** A draft that a user is blocked, or is so no more; with it what is corrected on the person's page. */
import type { Draft } from './drafts';
import { type HoldingPerson, subjectOfUser } from './holdingDraft';
import { withPending } from './withPending';

/** @param isBlocked now */
export const blockingWords = (isBlocked: boolean): Pick<Draft, 'label' | 'from' | 'to' | 'sign' | 'warning'> => ({
  label: isBlocked ? 'Unblock' : 'Block',
  from: isBlocked ? 'blocked' : 'not blocked',
  to: isBlocked ? 'not blocked' : 'blocked',
  sign: isBlocked ? 'gain' : 'loss',
  ...(!isBlocked && { warning: 'All sessions end at once. Unblocking does not restore them.' }),
});

export const blockingDraft = ({
  userGuid,
  isBlocked,
  revision,
  ...person
}: HoldingPerson & { isBlocked: boolean; revision: number }): Draft =>
  // what is corrected on the person's page is one change with it
  withPending({
    key: `fields user ${userGuid}`,
    subject: subjectOfUser({ userGuid, ...person }),
    ...blockingWords(isBlocked),
    fields: [{ field: 'isBlocked', before: isBlocked, after: !isBlocked }],
    change: { updateUser: { userGuid, ifRevision: revision, input: { isBlocked: !isBlocked } } },
  });
