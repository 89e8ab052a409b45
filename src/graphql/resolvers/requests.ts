/** Requests of the past: why a token request was refused, and who uses which operation. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Float,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { Client } from '../../entities/Client.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { Token } from '../../entities/Token.js';
import { User } from '../../entities/User.js';
import { type Refusal as FoundRefusal, findRefusals } from '../../services/refusals/findRefusals.js';
import { refusalChecks, type RefusalCheck as Which } from '../../services/refusals/refusalWords.js';
import { type FoundUsage, findUsage } from '../../services/usage/usage.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { declareEnum } from '../schema/inputs.js';
import { Requires } from '../schema/operations.js';

const checkDocs: { [check in Which]: string } = {
  CLIENT: 'The client: its id and secret.',
  ID_TOKEN: 'The ID token of the identity provider.',
  PROFILE: 'The user, and whether the profile is held.',
  RENEWAL_TOKEN: 'The renewal token and its session.',
  ACCESS_TOKEN: 'The access token that was to be validated.',
  PROOF: 'The DPoP proof of possession.',
  AUDIENCE: 'The audience that was asked for.',
  SCOPE: 'The scope that was asked for.',
  GRANT: 'The grant that was asked for.',
  REQUEST: 'The form of the request.',
};
const RefusalCheck = declareEnum(
  'RefusalCheck',
  'What was judged when a token request was refused.',
  refusalChecks,
  checkDocs,
);

@ObjectType({ description: 'A token request that was refused, and why.', simpleResolvers: true })
class Refusal {
  @Field(() => String, { description: 'Trace id of the request; its caller may have chosen it.' }) traceId!: string;
  @Field(() => DateTime, { description: 'When it was refused.' }) occurredAt!: Date;
  @Field(() => String, { nullable: true, description: 'Path of the endpoint.' }) endpoint!: string | null;
  @Field(() => String, { nullable: true, description: 'The grant: `exchange`, `refresh_token` …' })
  grant!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the client as presented, 100 characters of it: whoever asked may have written anything.',
  })
  clientId!: string | null;
  @Field(() => RefusalCheck as never, { description: 'Which check refused.' }) check!: Which;
  @Field(() => String, { description: 'What happened, in words.' }) text!: string;
  @Field(() => String, { description: 'What to do about it.' }) advice!: string;
  @Field(() => String, { description: 'The cause, as the log has it.' }) detail!: string;
  @Field(() => Uuid, {
    nullable: true,
    description: 'Guid of the renewal token’s record: the first half of its `jti`.',
  })
  tokenGuid!: string | null;
  @Field(() => [Refusal], { description: 'Those before it with the same trace id, the newest first; at most 19.' })
  earlier!: Refusal[];
}

@Resolver(() => Refusal)
export class RefusalResolver {
  @Query(() => Refusal, {
    nullable: true,
    description: 'Why a token request was refused: the newest with that trace id, or null where none is kept.',
  })
  @Requires('admin:security')
  async refusal(
    @Arg('traceId', () => String, {
      description: 'Trace id: of the answer’s header `trace-id`, of the log, or the `traceparent` that was sent.',
    })
    traceId: string,
    @Ctx() context: GraphContext,
  ) {
    const [newest, ...earlier] = await findRefusals(context, traceId);
    return newest && { ...newest, earlier: earlier.map((each) => ({ ...each, earlier: [] })) };
  }

  @FieldResolver(() => Client, { nullable: true, description: 'The client of that id, where there is one.' })
  client(@Root() { clientId }: FoundRefusal, @Load() load: Loader) {
    return load.record(Client, 'clientId', clientId);
  }

  @FieldResolver(() => Token, {
    nullable: true,
    description: 'The record of the renewal token, where it is one of ours.',
  })
  token(@Root() { tokenGuid }: FoundRefusal, @Load() load: Loader) {
    return load.record(Token, 'tokenGuid', tokenGuid);
  }
}

@ObjectType({ description: 'Requests of one kind: who, what and how.', simpleResolvers: true })
class Usage {
  @Field(() => String, { nullable: true, description: 'Id of the client, as presented; null: none that is known.' })
  clientId!: string | null;
  @Field(() => Uuid, { nullable: true, description: 'Guid of the user who called the administration.' })
  caller!: string | null;
  @Field(() => String, { description: 'Method and path; `others`: all that found no row of their own.' })
  operation!: string;
  @Field(() => String, { nullable: true, description: 'The grant, the options of a list, or the name of a query.' })
  option!: string | null;
  @Field(() => String, { nullable: true, description: 'Media type of the requests.' }) mediaType!: string | null;
  @Field(() => String, { nullable: true, description: 'First product that the user agent names.' })
  product!: string | null;
  @Field(() => DateTime, { description: 'First seen.' }) firstSeenAt!: Date;
  @Field(() => DateTime, { description: 'Last seen.' }) lastSeenAt!: Date;
  @Field(() => Float, { description: 'How many requests.' }) count!: number;
  @Field(() => Float, { description: 'How many of them a brown-out answered.' }) brownouts!: number;
}

@ArgsType()
class UsageArguments {
  @Field(() => String, { nullable: true, description: 'Of this client alone.' }) clientId?: string | null;
  @Field(() => String, { nullable: true, description: 'Of operations with this text in them, such as `/api`.' })
  operation?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Seen since then.' }) since?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Of those alone of which a brown-out answered some.' })
  brownedOut?: boolean | null;
  @Field(() => Int, { defaultValue: 100, description: 'How many at most.' }) first!: number;
}

@Resolver(() => Usage)
export class UsageResolver {
  @Query(() => [Usage], {
    description:
      'Who uses which operation how, those seen last first; at most 10,000 kinds of requests and one for the others.',
  })
  @Requires('admin:security')
  usage(@Args(() => UsageArguments) criteria: UsageArguments, @Ctx() context: GraphContext) {
    return findUsage(context, criteria);
  }

  @FieldResolver(() => Client, { nullable: true, description: 'The client.' })
  client(@Root() { clientId }: FoundUsage, @Load() load: Loader) {
    return load.record(Client, 'clientId', clientId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user; null when not known here.' })
  callerNavigation(@Root() { caller }: FoundUsage, @Load() load: Loader) {
    return load.record(User, 'userGuid', caller);
  }
}
