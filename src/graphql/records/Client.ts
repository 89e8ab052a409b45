/** Changes of client applications. A secret is shown once, when it is made. */
import { Field, Int, ObjectType } from 'type-graphql';
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
import { loadRecord } from '../resolving/loaders.js';
import { declareMutation, ifRevision, inputType, resolveBy, stillThere, under } from '../schema/declare.js';
import { keyArgument } from '../schema/recordMutations.js';

@ObjectType({ description: 'A client with its new secret, which is shown this once.', simpleResolvers: true })
class ClientWithSecret {
  // nullable, so that the secret is answered where reading the client fails
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client;
  @Field(() => String, { description: 'The secret in clear; only its hash is stored.' }) clientSecret!: string;
}

export function declareClient(): void {
  const clientId = keyArgument(Client, 'clientId');
  const fields = inputFields(Client, { mode: 'create' }).filter(({ name }) => name !== 'isActive');
  resolveBy('ClientWithSecret', 'client', async (parent: ClientWithSecret, _given, context, info) =>
    stillThere(await loadRecord(context, info, Client, 'clientId', parent.client.clientId)),
  );
  declareMutation('createClient', {
    doc: 'Makes a client with a new secret.',
    type: () => ClientWithSecret,
    arguments: {
      input: { type: inputType('CreateClientInput', 'A new client; it is active.', fields), doc: 'Its fields.' },
    },
    resolve: (_root, { input }, context) => under('input', createClient(context, input)),
  });
  declareMutation('updateClient', {
    doc: 'Changes a client; its secret and whether it is active have operations of their own.',
    type: () => Client,
    arguments: {
      clientId,
      input: {
        type: inputType(
          'UpdateClientInput',
          'What to change: an absent field stays, null clears.',
          clientUpdateInput(),
        ),
        doc: 'What to change.',
      },
      ifRevision,
    },
    resolve: async (_root, given, context, info) => {
      await under('input', updateClient(context, given.clientId, given.input, given.ifRevision));
      return loadRecord(context, info, Client, 'clientId', given.clientId);
    },
  });
  declareMutation('rotateClientSecret', {
    doc: 'Gives a client a new secret; the one before lives on for the hours asked, with its last use to be seen.',
    type: () => ClientWithSecret,
    arguments: {
      clientId,
      keepPreviousHours: {
        type: () => Int,
        doc: 'Hours that the secret before goes on working; absent: none.',
        nullable: true,
      },
      ifRevision,
    },
    resolve: (_root, given, context) =>
      rotateClientSecret(context, given.clientId, given.keepPreviousHours ?? 0, given.ifRevision),
  });
  declareMutation('endPreviousSecret', {
    doc: 'Ends the secret before a rotation now, however long it was to go on.',
    type: () => Client,
    arguments: { clientId, ifRevision },
    resolve: async (_root, given, context, info) => {
      await endPreviousSecret(context, given.clientId, given.ifRevision);
      return loadRecord(context, info, Client, 'clientId', given.clientId);
    },
  });
  declareMutation('setClientActive', {
    doc: 'Switches a client on or off, from its very next request.',
    type: () => Client,
    arguments: { clientId, isActive: { type: () => Boolean, doc: 'Whether it may ask for tokens.' }, ifRevision },
    resolve: async (_root, given, context, info) => {
      await setClientActive(context, given.clientId, given.isActive, given.ifRevision);
      return loadRecord(context, info, Client, 'clientId', given.clientId);
    },
  });
}
