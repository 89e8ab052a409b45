/** Why a token request was refused, by its trace id. */
import { Field, ObjectType } from 'type-graphql';
import { Client } from '../../entities/Client.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { Token } from '../../entities/Token.js';
import { type Refusal as Found, findRefusals } from '../../services/refusals/findRefusals.js';
import { refusalChecks, type RefusalCheck as Which } from '../../services/refusals/words.js';
import { loadRecord } from '../resolving/loaders.js';
import { declareQuery, resolveBy } from '../schema/declare.js';
import { declareEnum } from '../schema/enums.js';

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
  @Field(() => Client, { nullable: true, description: 'The client of that id, where there is one.' })
  client!: Client | null;
  @Field(() => RefusalCheck as never, { description: 'Which check refused.' }) check!: Which;
  @Field(() => String, { description: 'What happened, in words.' }) text!: string;
  @Field(() => String, { description: 'What to do about it.' }) advice!: string;
  @Field(() => String, { description: 'The cause, as the log has it.' }) detail!: string;
  @Field(() => Uuid, {
    nullable: true,
    description: 'Guid of the renewal token’s record: the first half of its `jti`.',
  })
  tokenGuid!: string | null;
  @Field(() => Token, { nullable: true, description: 'The record of the renewal token, where it is one of ours.' })
  token!: Token | null;
  @Field(() => [Refusal], { description: 'Those before it with the same trace id, the newest first; at most 19.' })
  earlier!: Refusal[];
}

export function declareRefusal(): void {
  declareQuery('refusal', {
    doc: 'Why a token request was refused: the newest with that trace id, or null where none is kept.',
    type: () => Refusal,
    nullable: true,
    arguments: {
      traceId: {
        type: () => String,
        doc: 'Trace id: of the answer’s header `trace-id`, of the log, or the `traceparent` that was sent.',
      },
    },
    resolve: async (_root, { traceId }, context) => {
      const [newest, ...earlier] = await findRefusals(context, traceId);
      return newest && { ...newest, earlier: earlier.map((each) => ({ ...each, earlier: [] })) };
    },
  });
  resolveBy('Refusal', 'client', ({ clientId }: Found, _given, context, info) =>
    clientId === null ? null : loadRecord(context, info, Client, 'clientId', clientId),
  );
  resolveBy('Refusal', 'token', ({ tokenGuid }: Found, _given, context, info) =>
    tokenGuid === null ? null : loadRecord(context, info, Token, 'tokenGuid', tokenGuid),
  );
}
