/** A draft that a user is blocked, or is so no more. */
import { type Draft, readDrafts } from './drafts';
import { type HoldingPerson, subjectOfUser } from './holdingDraft';

export function blockingDraft({
  userGuid,
  isBlocked,
  revision,
  ...person
}: HoldingPerson & { isBlocked: boolean; revision: number }): Draft {
  const key = `fields user ${userGuid}`;
  // what is corrected on the person's page is one change with it, of one revision
  const corrected = readDrafts().find((draft) => draft.key === key);
  const fields = (corrected?.fields ?? []).filter(({ field }) => field !== 'isBlocked');
  return {
    key,
    subject: subjectOfUser({ userGuid, ...person }),
    label: isBlocked ? 'Unblock' : 'Block',
    from: isBlocked ? 'blocked' : 'not blocked',
    to: isBlocked ? 'not blocked' : 'blocked',
    sign: isBlocked ? 'gain' : 'loss',
    fields: [...fields, { field: 'isBlocked', before: isBlocked, after: !isBlocked }],
    change: {
      updateUser: {
        userGuid,
        ifRevision: revision,
        input: { ...(fields.length > 0 && corrected?.change.updateUser?.input), isBlocked: !isBlocked },
      },
    },
    ...(!isBlocked && { warning: 'All sessions end at once. Unblocking does not restore them.' }),
  };
}
