/** Changes of users. */
import { User } from '../../entities/User.js';
import { createUser, updateUser, userInput } from '../../services/people/users.js';
import { declareChanges, declareDeactivation, type RecordOperations } from '../schema/recordMutations.js';

const operations: RecordOperations = {
  record: User,
  key: 'userGuid',
  fields: userInput,
  create: createUser,
  update: updateUser,
};

export function declareUser(): void {
  declareChanges(operations);
  declareDeactivation(
    operations,
    { isBlocked: true },
    'Blocks a user: exchange and renewal are refused, and all sessions of the user end.',
  );
}
