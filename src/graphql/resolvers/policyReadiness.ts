/** Which clients are ready for the hardened policy, and why the others are not. */
import { Ctx, Field, FieldResolver, Float, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { Client } from '../../entities/Client.js';
import { DateTime } from '../../entities/scalars.js';
import {
  type ClientReadiness,
  type PolicyFinding as Finding,
  findClientReadiness,
  findPolicyReadiness,
  type PolicyState,
  policyReasons,
  policyStates,
  wordsOf,
} from '../../services/policyReadiness/findPolicyReadiness.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { declareEnum } from '../schema/inputs.js';
import { Needs, Requires } from '../schema/operations.js';

/** `noCredentials` is NO_CREDENTIALS. */
const enumName = (reason: string): string => reason.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const PolicyReason = declareEnum(
  'PolicyReason',
  'Why the hardened policy would refuse a request, or end its session.',
  policyReasons,
  (reason) => `The client ${wordsOf(reason).text}.`,
  enumName,
);

const stateDocs: { [state in PolicyState]: string } = {
  HARDENED: 'It is judged by the hardened policy already.',
  READY: 'Its requests were judged, and none would have been refused.',
  NOT_READY: 'The hardened policy would have refused requests of it.',
  NOT_SEEN: 'Nothing of it was judged: it was not there, or there was no rehearsal.',
};
const PolicyReadinessState = declareEnum(
  'PolicyReadinessState',
  'Whether a client is ready for the hardened policy.',
  policyStates,
  stateDocs,
);

@ObjectType({ description: 'Requests of one kind that the hardened policy would refuse.', simpleResolvers: true })
class PolicyFinding {
  @Field(() => String, { description: 'Path of the endpoint.' }) operation!: string;
  @Field(() => PolicyReason as never, { description: 'Why they would be refused, or their session would end.' })
  reason!: string;
  @Field(() => String, { description: 'What the client does, in words after its name.' }) text!: string;
  @Field(() => String, { description: 'What the owner of the client does about it.' }) advice!: string;
  @Field(() => Float, { description: 'How many.' }) count!: number;
  @Field(() => DateTime, { description: 'First seen.' }) firstSeenAt!: string;
  @Field(() => DateTime, { description: 'Last seen.' }) lastSeenAt!: string;
}

@ObjectType({ description: 'Whether a client is ready for the hardened policy.', simpleResolvers: true })
class ClientPolicyReadiness {
  @Field(() => String, { description: 'Id of the client.' }) clientId!: string;
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client | null;
  @Field(() => PolicyReadinessState as never, { description: 'How it stands.' }) state!: PolicyState;
  @Field(() => Boolean, { description: 'Whether it is hardened, or could be.' }) isReady!: boolean;
  @Field(() => Float, { description: 'Its requests on which the policies could differ.' }) judged!: number;
  @Field(() => Float, { description: 'Its requests with a secret that there was no time to compare.' })
  notJudged!: number;
  @Field(() => [PolicyFinding], { description: 'What would be refused, seen last first.' })
  findings!: Finding[];
}

@ObjectType({ description: 'Which active clients are ready for the hardened policy.', simpleResolvers: true })
class PolicyReadiness {
  @Field(() => String, { description: 'TOKEN_POLICY: documented, rehearsal or hardened.' }) tokenPolicy!: string;
  @Field(() => Int, { description: 'REHEARSAL_DAYS: for how long a finding counts since it was last seen.' })
  days!: number;
  @Field(() => Int, { description: 'How many clients are active.' }) clients!: number;
  @Field(() => Int, { description: 'How many of them are ready, or hardened.' }) ready!: number;
  @Field(() => Int, { description: 'How many would have been refused something.' }) notReady!: number;
  @Field(() => Int, { description: 'Of how many nothing was judged.' }) notSeen!: number;
  @Field(() => [ClientPolicyReadiness], { description: 'Those that are not ready, seen last first; at most 100.' })
  unready!: ClientReadiness[];
  @Field(() => [PolicyFinding], { description: 'Findings of requests that name no client of ours.' })
  ofNobody!: Finding[];
}

@Resolver(() => ClientPolicyReadiness)
export class PolicyReadinessResolver {
  @Query(() => PolicyReadiness, {
    description: 'Which active clients are ready for the hardened policy, by what TOKEN_POLICY=rehearsal found.',
  })
  @Requires('admin:security')
  policyReadiness(@Ctx() context: GraphContext) {
    return findPolicyReadiness(context);
  }

  @FieldResolver()
  client(@Root() { clientId }: ClientReadiness, @Load() load: Loader) {
    return load.record(Client, 'clientId', clientId);
  }
}

@Resolver(() => Client)
export class ClientReadinessResolver {
  @FieldResolver(() => ClientPolicyReadiness, { description: 'Whether it is ready for the hardened policy.' })
  @Needs(Client, 'clientId')
  policyReadiness(@Root() { clientId }: Client, @Load() load: Loader) {
    return load.batched(clientId, (ids: readonly string[]) => findClientReadiness(load.context, ids));
  }
}
