/** Reads refused token requests and the usage of operations. */
import { Arg, Args, ArgsType, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { Client } from '../../entities/Client.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { Token } from '../../entities/Token.js';
import { User } from '../../entities/User.js';
import { findRefusals } from '../../services/refusals/findRefusals.js';
import { refusalChecks, type RefusalCheck as Which } from '../../services/refusals/refusalWords.js';
import { countKinds, findUsage } from '../../services/usage/usage.js';
import type { GraphContext } from '../resolving/loaders.js';
import { declareEnum } from '../schema/inputs.js';
import { RecordAt, Requires } from '../schema/operations.js';

const checkDocs: { [check in Which]: string } = {
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
};
const RefusalCheck = declareEnum('RefusalCheck', 'The check that refused a token request.', refusalChecks, checkDocs);

@ObjectType({ description: 'A token request that was refused, and why.', simpleResolvers: true })
class Refusal {
  @Field(() => String, { description: 'Trace id of the request; the caller may have chosen it.' }) traceId!: string;
  @Field(() => DateTime, { description: 'When it was refused.' }) occurredAt!: Date;
  @Field(() => String, { nullable: true, description: 'Path of the endpoint.' }) endpoint!: string | null;
  @Field(() => String, { nullable: true, description: 'The grant, such as `exchange` or `refresh_token`.' })
  grant!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The client id as sent, cut to 100 characters. It is not authenticated.',
  })
  clientId!: string | null;
  @Field(() => RefusalCheck as never, { description: 'The check that refused the request.' }) check!: Which;
  @Field(() => String, { description: 'A description of the refusal for people.' }) text!: string;
  @Field(() => String, { description: 'What the caller should do.' }) advice!: string;
  @Field(() => String, { description: 'The cause, as in the log.' }) detail!: string;
  @Field(() => Uuid, {
    nullable: true,
    description: 'Guid of the record of the renewal token: the first half of its `jti`.',
  })
  tokenGuid!: string | null;
  @Field(() => [Refusal], { description: 'Earlier refusals with the same trace id, newest first; at most 19.' })
  earlier!: Refusal[];
  @RecordAt(Client, 'clientId', { nullable: true, description: 'The client with this id; null if there is none.' })
  client!: Client | null;
  @RecordAt(Token, 'tokenGuid', {
    nullable: true,
    description: 'The record of the renewal token; null if there is none.',
  })
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

@ObjectType({ description: 'Requests of one kind, from one caller to one operation.', simpleResolvers: true })
class Usage {
  @Field(() => String, { nullable: true, description: 'The client id as sent; null if no such client is registered.' })
  clientId!: string | null;
  @Field(() => Uuid, { nullable: true, description: 'Guid of the user who called the administration interface.' })
  caller!: string | null;
  @Field(() => String, {
    description: 'Method and path; `others` stands for all requests that are not listed separately.',
  })
  operation!: string;
  @Field(() => String, { nullable: true, description: 'The grant, the options of a list, or the name of a query.' })
  option!: string | null;
  @Field(() => String, { nullable: true, description: 'Media type of the requests.' }) mediaType!: string | null;
  @Field(() => String, { nullable: true, description: 'The first product in the User-Agent header.' })
  product!: string | null;
  @Field(() => DateTime, { description: 'Time of the first request.' }) firstSeenAt!: Date;
  @Field(() => DateTime, { description: 'Time of the latest request.' }) lastSeenAt!: Date;
  @Field(() => Float, { description: 'The number of requests.' }) count!: number;
  @Field(() => Float, { description: 'The number of these requests that a brown-out refused.' }) brownouts!: number;
  @RecordAt(Client, 'clientId', { nullable: true, description: 'The client.' }) client!: Client | null;
  @RecordAt(User, 'userGuid', {
    from: 'caller',
    nullable: true,
    description: 'The user; null if there is no such user.',
  })
  callerNavigation!: User | null;
}

@ArgsType()
class UsageFilter {
  @Field(() => String, { nullable: true, description: 'Returns only requests of this client.' }) clientId?:
    | string
    | null;
  @Field(() => String, {
    nullable: true,
    description: 'Returns only operations that contain this text, such as `/api`.',
  })
  operation?: string | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'Returns only kinds of requests that were seen since this time.',
  })
  since?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to return only kinds of requests of which a brown-out refused some.',
  })
  brownedOut?: boolean | null;
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
      'Which caller uses which operation, latest first. At most 10,000 kinds of requests are kept, and one that sums up the others.',
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
