/** Changes of clients. A secret is shown once, when it is made. */
import { Arg, Ctx, Field, FieldResolver, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { Client } from '../../entities/Client.js';
import {
  clientUpdateInput,
  createClient,
  endPreviousSecret,
  rotateClientSecret,
  setClientActive,
  updateClient,
} from '../../services/people/clients.js';
import { inputFields } from '../../services/records/input.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { ifRevisionDoc } from '../schema/changes.js';
import { ArgOf, inputType, Requires, requirePresent, under } from '../schema/operations.js';

@ObjectType({ description: 'A client with its new secret, which is shown this once.', simpleResolvers: true })
class ClientWithSecret {
  // nullable, so that the secret is answered where reading the client fails
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client;
  @Field(() => String, { description: 'The secret in clear; only its hash is stored.' }) clientSecret!: string;
}

@Resolver(() => ClientWithSecret)
export class ClientWithSecretResolver {
  @FieldResolver()
  async client(@Root() { client }: ClientWithSecret, @Load() load: Loader) {
    return requirePresent(await load.record(Client, 'clientId', client.clientId));
  }
}

const CreateClientInput = inputType(
  'CreateClientInput',
  'A new client; it is active.',
  inputFields(Client, { mode: 'create' }).filter(({ name }) => name !== 'isActive'),
);
const UpdateClientInput = inputType(
  'UpdateClientInput',
  'What to change: an absent field stays, null clears.',
  clientUpdateInput(),
);
const IfRevision = () => Arg('ifRevision', () => Int, { nullable: true, description: ifRevisionDoc });

@Resolver()
export class ClientResolver {
  @Mutation(() => ClientWithSecret, { description: 'Makes a client with a new secret.' })
  @Requires('admin:security')
  createClient(
    @Arg('input', () => CreateClientInput, { description: 'Its fields.' }) input: Parameters<typeof createClient>[1],
    @Ctx() context: GraphContext,
  ) {
    return under('input', createClient(context, input));
  }

  @Mutation(() => Client, {
    description: 'Changes a client; its secret and whether it is active have operations of their own.',
  })
  @Requires('admin:security')
  async updateClient(
    @ArgOf(Client, 'clientId') clientId: string,
    @Arg('input', () => UpdateClientInput, { description: 'What to change.' }) input: object,
    @IfRevision() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await under('input', updateClient(load.context, clientId, input, ifRevision));
    return load.record(Client, 'clientId', clientId);
  }

  @Mutation(() => ClientWithSecret, {
    description:
      'Gives a client a new secret; the one before lives on for the hours asked, with its last use to be seen.',
  })
  @Requires('admin:security')
  rotateClientSecret(
    @ArgOf(Client, 'clientId') clientId: string,
    @Arg('keepPreviousHours', () => Int, {
      nullable: true,
      description: 'Hours that the secret before goes on working; absent: none.',
    })
    keepPreviousHours: number | null | undefined,
    @IfRevision() ifRevision: number | null | undefined,
    @Ctx() context: GraphContext,
  ) {
    return rotateClientSecret(context, clientId, keepPreviousHours ?? 0, ifRevision);
  }

  @Mutation(() => Client, {
    description: 'Ends the secret before a rotation now, however long it was to go on.',
  })
  @Requires('admin:security')
  async endPreviousSecret(
    @ArgOf(Client, 'clientId') clientId: string,
    @IfRevision() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await endPreviousSecret(load.context, clientId, ifRevision);
    return load.record(Client, 'clientId', clientId);
  }

  @Mutation(() => Client, { description: 'Switches a client on or off, from its very next request.' })
  @Requires('admin:security')
  async setClientActive(
    @ArgOf(Client, 'clientId') clientId: string,
    @Arg('isActive', () => Boolean, { description: 'Whether it may ask for tokens.' }) isActive: boolean,
    @IfRevision() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await setClientActive(load.context, clientId, isActive, ifRevision);
    return load.record(Client, 'clientId', clientId);
  }
}
