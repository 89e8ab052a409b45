/** Revocation of tokens, and rotation of the key that signs them. */
import { ID, Int } from 'type-graphql';
import { SigningKey } from '../../entities/SigningKey.js';
import { Uuid } from '../../entities/scalars.js';
import { rotateKey } from '../../services/keys/rotateKey.js';
import { revokeTokens } from '../../services/tokens/revokeTokens.js';
import { loadRecord } from '../resolving/loaders.js';
import { declareMutation } from '../schema/declare.js';

export function declareToken(): void {
  const criterion = (type: unknown, doc: string) => ({ type: () => type, doc, nullable: true });
  declareMutation('revokeTokens', {
    doc: 'Revokes the active renewal tokens that meet all criteria, of which there is at least one, and says how many.',
    type: () => Int,
    arguments: {
      tokenId: criterion(ID, 'The one with this number.'),
      userGuid: criterion(Uuid, 'Those of this user.'),
      profileId: criterion(ID, 'Those of this profile.'),
      clientId: criterion(ID, 'Those of this client.'),
    },
    resolve: (_root, given, context) => revokeTokens(context, given),
  });
  declareMutation('rotateSigningKey', {
    doc: 'Has the next key sign access tokens at once, and publishes a new next one.',
    type: () => SigningKey,
    resolve: async (_root, _given, context, info) =>
      loadRecord(context, info, SigningKey, 'kid', await rotateKey(context)),
  });
}
