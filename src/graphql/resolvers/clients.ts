/** Changes of clients. A secret is shown once, when it is made. */
import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
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
import { under } from '../../services/records/problemPaths.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { IfRevisionArg } from '../schema/arguments.js';
import { ArgOf, inputType, Member, MemberOrNull, Requires, Result, requirePresent } from '../schema/operations.js';

@Result('A client and its new secret, which is shown only once.')
class ClientWithSecret {
  // nullable, so that the secret is answered where reading the client fails
  @MemberOrNull(Client, 'The client.') client!: Pick<Client, 'clientId'> | null;
  @Member(String, 'The secret in plain text. Only its hash is stored.') clientSecret!: string;
}

@Resolver(() => ClientWithSecret)
export class ClientWithSecretResolver {
  @FieldResolver()
  async client(@Root() { client }: { client: Client }, @Load() load: Loader) {
    return requirePresent(await load.record(Client, 'clientId', client.clientId));
  }
}

const CreateClientInput = inputType(
  'CreateClientInput',
  'The fields of a new client. The client is active.',
  inputFields(Client, { mode: 'create' }).filter(({ name }) => name !== 'isActive'),
);
const UpdateClientInput = inputType(
  'UpdateClientInput',
  'The fields to change. An absent field stays as it is; null removes the value.',
  clientUpdateInput(),
);

@Resolver()
export class ClientResolver {
  @Mutation(() => ClientWithSecret, { description: 'Creates a client with a new secret.' })
  @Requires('admin:security')
  createClient(
    @Arg('input', () => CreateClientInput, { description: 'The fields of the record.' }) input: Parameters<
      typeof createClient
    >[1],
    @Ctx() context: GraphContext,
  ) {
    return under('input', createClient(context, input));
  }

  @Mutation(() => Client, {
    description:
      'Changes a client. Its secret is changed with rotateClientSecret, and whether it is active with setClientActive.',
  })
  @Requires('admin:security')
  async updateClient(
    @ArgOf(Client, 'clientId') clientId: string,
    @Arg('input', () => UpdateClientInput, { description: 'The fields to change.' }) input: object,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await under('input', updateClient(load.context, clientId, input, ifRevision));
    return load.record(Client, 'clientId', clientId);
  }

  @Mutation(() => ClientWithSecret, {
    description:
      'Rotates the secret of a client. The previous secret keeps working for `keepPreviousHours`; `previousSecretLastUsedAt` of the client shows when it was last used.',
  })
  @Requires('admin:security')
  rotateClientSecret(
    @ArgOf(Client, 'clientId') clientId: string,
    @Arg('keepPreviousHours', () => Int, {
      nullable: true,
      description: 'The number of hours for which the previous secret keeps working; absent: 0.',
    })
    keepPreviousHours: number | null | undefined,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Ctx() context: GraphContext,
  ) {
    return rotateClientSecret(context, clientId, keepPreviousHours ?? 0, ifRevision);
  }

  @Mutation(() => Client, {
    description: 'Invalidates the previous secret immediately.',
  })
  @Requires('admin:security')
  async endPreviousSecret(
    @ArgOf(Client, 'clientId') clientId: string,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await endPreviousSecret(load.context, clientId, ifRevision);
    return load.record(Client, 'clientId', clientId);
  }

  @Mutation(() => Client, { description: 'Activates or deactivates a client, effective from its next request.' })
  @Requires('admin:security')
  async setClientActive(
    @ArgOf(Client, 'clientId') clientId: string,
    @Arg('isActive', () => Boolean, { description: 'Whether the client may request tokens.' }) isActive: boolean,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await setClientActive(load.context, clientId, isActive, ifRevision);
    return load.record(Client, 'clientId', clientId);
  }
}
