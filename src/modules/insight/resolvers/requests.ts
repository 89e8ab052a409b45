/** Reads refused token requests and the usage of operations. */
import { Arg, Args, ArgsType, Ctx, Field, Float, Int, Query, Resolver } from 'type-graphql';
import { Client } from '../../../entities/Client.js';
import { DateTime, Uuid } from '../../../entities/scalars.js';
import { Token } from '../../../entities/Token.js';
import { User } from '../../../entities/User.js';
import type { GraphContext } from '../../../graphql/resolving/loaders.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import { Member, MemberOrNull, RecordAt, Requires, Result } from '../../../graphql/schema/operations.js';
import { findRefusals } from '../findRefusals.js';
import type { RefusalCheck as Which } from '../refusalWords.js';
import { countKinds, findUsage } from '../usage.js';

const RefusalCheck = declareEnum<Which>('RefusalCheck', 'The check that refused a token request.', {
  CLIENT: 'The client id and secret.',
  ID_TOKEN: 'The ID token of the identity provider.',
  PROFILE: 'The user, and whether the user holds the profile.',
  RENEWAL_TOKEN: 'The renewal token and its session.',
  ACCESS_TOKEN: 'The access token to validate.',
  PROOF: 'The DPoP proof of possession.',
  AUDIENCE: 'The requested audience.',
  SCOPE: 'The requested scope.',
  GRANT: 'The requested grant.',
  REQUEST: 'The form of the request.',
});

@Result('A token request that was refused, and why.')
class Refusal {
  @Member(String, 'Trace id of the request; the caller may have chosen it.') traceId!: string;
  @Member(DateTime, 'When the request was refused.') occurredAt!: Date;
  @MemberOrNull(String, 'Path of the endpoint.') endpoint!: string | null;
  @MemberOrNull(String, 'The grant, such as `exchange` or `refresh_token`.') grant!: string | null;
  @MemberOrNull(String, 'The client id as sent, cut to 100 characters. It is not authenticated.')
  clientId!: string | null;
  @Member(RefusalCheck, 'The check that refused the request.') check!: Which;
  @Member(String, 'A description of the refusal for people.') text!: string;
  @Member(String, 'What the caller should do.') advice!: string;
  @Member(String, 'The cause, as in the log.') detail!: string;
  @MemberOrNull(Uuid, 'Guid of the record of the renewal token: the first half of its `jti`.')
  tokenGuid!: string | null;
  @Member([Refusal], 'Earlier refusals with the same trace id, newest first; at most 19.') earlier!: Refusal[];
  @RecordAt(Client, 'clientId', 'The client with this id; null if there is none.', { nullable: true })
  client!: Client | null;
  @RecordAt(Token, 'tokenGuid', 'The record of the renewal token; null if there is none.', { nullable: true })
  token!: Token | null;
}

@Resolver(() => Refusal)
export class RefusalResolver {
  @Query(() => Refusal, {
    nullable: true,
    description:
      'Returns why a token request was refused: the newest refusal with this trace id, or null if none is stored.',
  })
  @Requires('admin:security')
  async refusal(
    @Arg('traceId', () => String, {
      description:
        'Trace id, from the response header `trace-id`, the log, or the `traceparent` header of the request.',
    })
    traceId: string,
    @Ctx() context: GraphContext,
  ) {
    const [newest, ...earlier] = await findRefusals(context, traceId);
    return newest && { ...newest, earlier: earlier.map((each) => ({ ...each, earlier: [] })) };
  }
}

@Result('Requests of one kind, from one caller to one operation.')
class Usage {
  @MemberOrNull(String, 'The client id as sent; null if no such client is registered.') clientId!: string | null;
  @MemberOrNull(Uuid, 'Guid of the user who called the administration interface.') caller!: string | null;
  @Member(String, 'Method and path; `others` stands for all requests that are not listed separately.')
  operation!: string;
  @MemberOrNull(String, 'The grant, the options of a list, or the name of a query.') option!: string | null;
  @MemberOrNull(String, 'Media type of the requests.') mediaType!: string | null;
  @MemberOrNull(String, 'The first product in the User-Agent header.') product!: string | null;
  @Member(DateTime, 'Time of the first request.') firstSeenAt!: Date;
  @Member(DateTime, 'Time of the latest request.') lastSeenAt!: Date;
  @Member(Float, 'The number of requests.') count!: number;
  @Member(Float, 'The number of these requests that a brown-out refused.') brownouts!: number;
  @RecordAt(Client, 'clientId', 'The client.', { nullable: true }) client!: Client | null;
  @RecordAt(User, 'userGuid', 'The user; null if there is no such user.', { from: 'caller', nullable: true })
  callerNavigation!: User | null;
}

@ArgsType()
class UsageFilter {
  @MemberOrNull(String, 'Returns only requests of this client.') clientId?: string | null;
  @MemberOrNull(String, 'Returns only operations that contain this text, such as `/api`.') operation?: string | null;
  @MemberOrNull(DateTime, 'Returns only kinds of requests that were seen since this time.') since?: string | null;
  @MemberOrNull(Boolean, 'Whether to return only kinds of requests that a brown-out has refused at least once.')
  brownedOut?: boolean | null;
  @MemberOrNull(Boolean, 'Whether to return only requests of the pages of the console, or only others; absent: both.')
  ofConsole?: boolean | null;
}

@ArgsType()
class UsagePage extends UsageFilter {
  @Field(() => Int, { defaultValue: 100, description: 'The maximum number of results.' }) first!: number;
  @Field(() => Int, { defaultValue: 0, description: 'The number of results to skip.' }) offset!: number;
}

@Resolver(() => Usage)
export class UsageResolver {
  @Query(() => [Usage], {
    description:
      'Returns which caller uses which operation, latest first. At most 10,000 kinds of requests are kept; one more entry sums up all others.',
  })
  @Requires('admin:security')
  usage(@Args(() => UsagePage) page: UsagePage, @Ctx() context: GraphContext) {
    return findUsage(context, page);
  }

  @Query(() => Int, { description: 'The number of kinds of requests that match.' })
  @Requires('admin:security')
  usageCount(@Args(() => UsageFilter) filter: UsageFilter, @Ctx() context: GraphContext) {
    return countKinds(context, filter);
  }
}
