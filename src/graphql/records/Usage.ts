/** Who uses which operation how, since when and how often. */
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Client } from '../../entities/Client.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { type FoundUsage, findUsage } from '../../services/usage/findUsage.js';
import { loadRecord } from '../resolving/loaders.js';
import { declareQuery, resolveBy } from '../schema/declare.js';

@ObjectType({ description: 'Requests of one kind: who, what and how.', simpleResolvers: true })
class Usage {
  @Field(() => String, { nullable: true, description: 'Id of the client, as presented; null: none that is known.' })
  clientId!: string | null;
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client | null;
  @Field(() => Uuid, { nullable: true, description: 'Guid of the user who called the administration.' })
  caller!: string | null;
  @Field(() => User, { nullable: true, description: 'The user; null when not known here.' })
  callerNavigation!: User | null;
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

export function declareUsage(): void {
  declareQuery('usage', {
    doc: 'Who uses which operation how, those seen last first; at most 10,000 kinds of requests and one for the others.',
    type: () => [Usage],
    arguments: {
      clientId: { type: () => String, nullable: true, doc: 'Of this client alone.' },
      operation: { type: () => String, nullable: true, doc: 'Of operations with this text in them, such as `/api`.' },
      since: { type: () => DateTime, nullable: true, doc: 'Seen since then.' },
      brownedOut: { type: () => Boolean, nullable: true, doc: 'Of those alone of which a brown-out answered some.' },
      first: { type: () => Int, default: 100, doc: 'How many at most.' },
    },
    resolve: (_root, given, context) => findUsage(context, given),
  });
  resolveBy('Usage', 'client', ({ clientId }: FoundUsage, _given, context, info) =>
    clientId === null ? null : loadRecord(context, info, Client, 'clientId', clientId),
  );
  resolveBy('Usage', 'callerNavigation', ({ caller }: FoundUsage, _given, context, info) =>
    caller === null ? null : loadRecord(context, info, User, 'userGuid', caller),
  );
}
