/** What each change of a request does, as the graph shows it. */
import { Field, InputType, Int, Resolver, Root } from 'type-graphql';
import { Profile } from '../../../entities/Profile.js';
import { Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { connectionOf } from '../../../graphql/schema/connection.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import { ComputedOrNull, Member, MemberOrNull, Result } from '../../../graphql/schema/operations.js';
import type { ChangeOutcome } from '../effectSides.js';

const EffectOutcomeKind = declareEnum<ChangeOutcome['outcome']>(
  'EffectOutcomeKind',
  'Who gains or loses access through a change.',
  {
    GAINS: 'Users gain access.',
    LOSES: 'Users lose access.',
    BOTH: 'Users gain access, and users lose access.',
    NOBODY: 'The change concerns access, but nobody gains or loses any: see `reason`.',
    UNCHANGED: 'The change cannot give or remove access.',
  },
);
const EffectOutcomeReason = declareEnum<NonNullable<ChangeOutcome['reason']>>(
  'EffectOutcomeReason',
  'Why nobody gains or loses access by a change.',
  {
    ALREADY_OPEN: 'The users concerned have the access anyway: see `openBy`.',
    OPENS_NOTHING: 'The profile opens no application and has no entry of scopes.',
    END_CHANGED: 'Only the end of a grant changes.',
    OUT_OF_USE: 'The application, the access scope or its type is inactive.',
    NOT_HELD: 'No profile has the access scope, or nobody holds the profiles.',
    STATE_DOES_NOT_OPEN: 'The state of the mapping does not open the application.',
    BLOCKED: 'All users concerned are blocked.',
  },
);

@Result('What one change does.')
class EffectOutcome {
  @Member(String, 'The place of the change in the request, such as `changes[3].mapping`.') path!: string;
  @Member(EffectOutcomeKind, 'Who gains or loses access.') outcome!: string;
  @MemberOrNull(
    EffectOutcomeReason,
    'Why nobody gains or loses access, where it is known; null unless the outcome is NOBODY.',
  )
  reason!: string | null;
  @MemberOrNull(String, 'Name of the file or connector that manages the record to be changed; null if there is none.')
  managedBy!: string | null;
  @Member(Int, 'The number of people who gain or lose access through the change, each counted once.') users!: number;
}

@Result('A number of changes with the same outcome, reason and file.')
class EffectOutcomeCount {
  @Member(EffectOutcomeKind, 'The outcome.') outcome!: string;
  @MemberOrNull(EffectOutcomeReason, 'The reason.') reason!: string | null;
  @MemberOrNull(String, 'Name of the file or connector.') managedBy!: string | null;
  @Member(Int, 'The number of changes.') count!: number;
}

@InputType({ description: 'Conditions on outcomes, combined with AND.' })
export class EffectOutcomeFilter {
  @MemberOrNull(EffectOutcomeKind, 'The outcome.') outcome?: ChangeOutcome['outcome'] | null;
  @MemberOrNull(EffectOutcomeReason, 'The reason.') reason?: ChangeOutcome['reason'];
  @MemberOrNull(String, 'Name of the file or connector.') managedBy?: string | null;
}

export const outcomeConnection = connectionOf(EffectOutcome);
Field(() => [EffectOutcomeCount], {
  description: 'The number of changes for each outcome, reason and file, largest first. The filter does not apply.',
})(outcomeConnection.prototype, 'counts');

@Resolver(() => EffectOutcome)
export class EffectOutcomeResolver {
  @ComputedOrNull(Profile, 'With ALREADY_OPEN: a profile by which the users concerned have the access anyway.')
  openBy(@Root() { openBy }: ChangeOutcome, @Load() load: Loader) {
    return openBy === null ? null : load.record(Profile, 'profileId', openBy);
  }
}
