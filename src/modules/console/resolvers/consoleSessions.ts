/** The sessions of the console. */
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { DateTime } from '../../../entities/scalars.js';
import { User } from '../../../entities/User.js';
import type { GraphContext } from '../../../graphql/resolving/loaders.js';
import { ArgOf, Member, MemberOrNull, Requires, Result } from '../../../graphql/schema/operations.js';
import { endListedSession, listSessions } from '../sessions.js';

@Result('A session of a user who is signed in to the console.')
class ConsoleSession {
  @Member(ID, 'The argument of `endConsoleSession`.') sessionId!: string;
  @Member(String, 'Id of the profile with which the user administers.') profileId!: string;
  @MemberOrNull(String, 'Name of the profile; null if it was deleted.') profileName!: string | null;
  @Member(DateTime, 'When the session began.') startedAt!: string;
  @Member(DateTime, 'When the session was last used, to the minute.') seenAt!: string;
  @Member(DateTime, 'When the session ends at the latest.') endsAt!: string;
  @Member(Boolean, 'Whether the request belongs to this session.') isCurrent!: boolean;
}

@Resolver(() => ConsoleSession)
export class ConsoleSessionResolver {
  @Query(() => [ConsoleSession], {
    description:
      'Returns the sessions of a user in the console, the latest use first. Other people’s sessions require admin:security.',
  })
  @Requires()
  consoleSessions(@ArgOf(User, 'userGuid') userGuid: string, @Ctx() context: GraphContext): Promise<ConsoleSession[]> {
    return listSessions(context, userGuid);
  }

  @Mutation(() => Boolean, {
    description:
      'Ends a session of the console at once; false if there is none. Other people’s sessions require admin:security.',
  })
  @Requires()
  endConsoleSession(
    @Arg('sessionId', () => ID, { description: 'The `sessionId` of the session.' }) sessionId: string,
    @Ctx() context: GraphContext,
  ) {
    return endListedSession(context, sessionId);
  }
}
