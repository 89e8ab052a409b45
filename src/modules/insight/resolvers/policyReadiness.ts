/** Reads which clients are ready for the hardened policy, and why others are not. */
import { Ctx, Float, Int, Query, Resolver, Root } from 'type-graphql';
import { Client } from '../../../entities/Client.js';
import { DateTime } from '../../../entities/scalars.js';
import { type GraphContext, Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import { Computed, Member, Needs, RecordAt, Requires, Result } from '../../../graphql/schema/operations.js';
import {
  type ClientReadiness,
  type PolicyFinding as Finding,
  findClientReadiness,
  findPolicyReadiness,
  type PolicyState,
  policyReasons,
  policyWords,
} from '../findPolicyReadiness.js';

const PolicyReason = declareEnum(
  'PolicyReason',
  'Why the hardened policy would refuse a request or end its session.',
  Object.fromEntries(policyReasons.map((reason) => [reason, `The client ${policyWords(reason).text}.`])),
  // `noCredentials` is NO_CREDENTIALS
  (reason) => reason.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
);
const PolicyReadinessState = declareEnum<PolicyState>(
  'PolicyReadinessState',
  'Whether a client is ready for the hardened policy.',
  {
    HARDENED: 'The hardened policy applies to the client already.',
    READY: 'The hardened policy would have accepted all observed requests of the client.',
    NOT_READY: 'The hardened policy would have refused requests of the client.',
    NOT_SEEN: 'No requests of the client were observed, or no rehearsal took place.',
  },
);

@Result('Requests of one kind that the hardened policy would refuse.')
class PolicyFinding {
  @Member(String, 'Path of the endpoint.') operation!: string;
  @Member(PolicyReason, 'Why the requests would be refused or their session would end.') reason!: string;
  @Member(String, 'What the client does, as the rest of a sentence that begins with its name.') text!: string;
  @Member(String, 'What the owner of the client should do.') advice!: string;
  @Member(Float, 'The number of requests.') count!: number;
  @Member(DateTime, 'Time of the first request.') firstSeenAt!: string;
  @Member(DateTime, 'Time of the latest request.') lastSeenAt!: string;
}

@Result('Whether a client is ready for the hardened policy.')
class ClientPolicyReadiness {
  @Member(String, 'Id of the client.') clientId!: string;
  @RecordAt(Client, 'clientId', 'The client.', { nullable: true }) client!: Client | null;
  @Member(PolicyReadinessState, 'Whether and why the client is ready.') state!: PolicyState;
  @Member(Boolean, 'Whether the hardened policy applies to the client or could apply.') isReady!: boolean;
  @Member(Float, 'The number of requests that the hardened policy could have answered differently.') judged!: number;
  @Member(Float, 'The number of requests that were not checked, because there was no time to compare their secret.')
  notJudged!: number;
  @Member([PolicyFinding], 'The requests that would be refused, latest first.') findings!: Finding[];
}

@Result('The readiness of the active clients for the hardened policy.')
class PolicyReadiness {
  @Member(String, 'The setting TOKEN_POLICY: documented, rehearsal or hardened.') tokenPolicy!: string;
  @Member(Int, 'The setting REHEARSAL_DAYS: the number of days for which a finding counts after its latest request.')
  days!: number;
  @Member(Int, 'The number of active clients.') clients!: number;
  @Member(Int, 'The number of clients that are ready or hardened.') ready!: number;
  @Member(Int, 'The number of clients with requests that would have been refused.') notReady!: number;
  @Member(Int, 'The number of clients without observed requests.') notSeen!: number;
  @Member([ClientPolicyReadiness], 'The clients that are not ready, latest request first; at most 100.')
  unready!: ClientReadiness[];
  @Member([PolicyFinding], 'Findings for requests without a registered client.') ofNobody!: Finding[];
}

@Resolver(() => ClientPolicyReadiness)
export class PolicyReadinessResolver {
  @Query(() => PolicyReadiness, {
    description:
      'The readiness of the active clients for the hardened policy, as observed with TOKEN_POLICY=rehearsal.',
  })
  @Requires('admin:security')
  policyReadiness(@Ctx() context: GraphContext) {
    return findPolicyReadiness(context);
  }
}

@Resolver(() => Client)
export class ClientReadinessResolver {
  @Computed(ClientPolicyReadiness, 'Whether the client is ready for the hardened policy.')
  @Needs(Client, 'clientId')
  policyReadiness(@Root() { clientId }: Client, @Load() load: Loader) {
    return load.batched(clientId, (ids: readonly string[]) => findClientReadiness(load.context, ids));
  }
}
