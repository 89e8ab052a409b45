/** Who of many people would get a profile: those who hold it already, and those who are blocked, are left out. */
import { ask } from './graph';
import { peopleLeftOut } from './operations/generated/giving';

interface Recipients {
  /** Guids of those who get it. */
  receive: string[];
  /** Guids of those who hold it already. */
  hold: string[];
  blocked: number;
}

/** As many fit in the variables of a request. */
const askedAtOnce = 1_000;

/** Throws Refusal. */
export async function readRecipients(
  people: readonly string[],
  profileId: string,
  signal: AbortSignal,
): Promise<Recipients> {
  const now = new Date().toISOString();
  const holds = {
    userProfiles: {
      some: { profileId: { eq: profileId }, or: [{ validUntil: { isNull: true } }, { validUntil: { gt: now } }] },
    },
  };
  const isBlocked = new Map<string, boolean>();
  for (let start = 0; start < people.length; start += askedAtOnce) {
    const some = people.slice(start, start + askedAtOnce);
    const filter = { userGuid: { in: some }, or: [{ isBlocked: { eq: true } }, holds] };
    const { users } = await ask(peopleLeftOut, { first: askedAtOnce, filter }, signal);
    for (const user of users.nodes) isBlocked.set(user.userGuid, user.isBlocked);
  }
  return {
    receive: people.filter((guid) => !isBlocked.has(guid)),
    hold: people.filter((guid) => isBlocked.get(guid) === false),
    blocked: [...isBlocked.values()].filter(Boolean).length,
  };
}
