/** A draft that a user is blocked, or is so no more. */
import type { Draft } from './drafts';
import { type HoldingPerson, subjectOfUser } from './holdingDraft';

export const blockingDraft = ({
  userGuid,
  isBlocked,
  revision,
  ...person
}: HoldingPerson & { isBlocked: boolean; revision: number }): Draft => ({
  key: `fields user ${userGuid}`,
  subject: subjectOfUser({ userGuid, ...person }),
  label: isBlocked ? 'Unblock' : 'Block',
  from: isBlocked ? 'blocked' : 'not blocked',
  to: isBlocked ? 'not blocked' : 'blocked',
  sign: isBlocked ? 'gain' : 'loss',
  change: { updateUser: { userGuid, ifRevision: revision, input: { isBlocked: !isBlocked } } },
  ...(!isBlocked && { warning: 'All sessions end at once. Unblocking does not restore them.' }),
});
