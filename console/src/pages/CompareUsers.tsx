/** Two users side by side: their profiles, and what these open. */
import { ask } from '../graph';
import { compareUsersCounts, userToCompare } from '../operations/generated/compare';
import { usePeoplePicks } from '../picks';
import { nameAndMail } from '../words';
import { Comparison } from './compare/Comparison';
import { countsOf } from './compare/counts';
import { listsOfUsers } from './compare/lists';

const nameOf = (person: Parameters<typeof nameAndMail>[0]) => (person ? nameAndMail(person) : undefined);

export const CompareUsers = () => (
  <Comparison
    title="Compare two users"
    sub="Profiles, access scopes and applications that only one has, and those that both have."
    list={{ to: '/users', label: 'Users' }}
    one="user"
    isRound
    lists={listsOfUsers}
    usePicks={usePeoplePicks}
    readName={async (userGuid, signal) => nameOf((await ask(userToCompare, { userGuid }, signal)).user)}
    read={async (pair, signal) => {
      const { left, right, compareUsers } = await ask(compareUsersCounts, pair, signal);
      return { left: nameOf(left), right: nameOf(right), counts: countsOf(compareUsers) };
    }}
  />
);
