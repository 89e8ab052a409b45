/** A draft that a user is blocked, or is so no more; with it what is corrected on the person's page. */
import { type Draft, readDrafts } from './drafts';
import { type HoldingPerson, subjectOfUser } from './holdingDraft';

/** @param isBlocked now */
export const blockingWords = (isBlocked: boolean): Pick<Draft, 'label' | 'from' | 'to' | 'sign' | 'warning'> => ({
  label: isBlocked ? 'Unblock' : 'Block',
  from: isBlocked ? 'blocked' : 'not blocked',
  to: isBlocked ? 'not blocked' : 'blocked',
  sign: isBlocked ? 'gain' : 'loss',
  ...(!isBlocked && { warning: 'All sessions end at once. Unblocking does not restore them.' }),
});

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
    ...blockingWords(isBlocked),
    fields: [...fields, { field: 'isBlocked', before: isBlocked, after: !isBlocked }],
    change: {
      updateUser: {
        userGuid,
        ifRevision: revision,
        input: { ...(fields.length > 0 && corrected?.change.updateUser?.input), isBlocked: !isBlocked },
      },
    },
  };
}
