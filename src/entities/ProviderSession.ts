/** The session of an identity provider from which a token comes. The token ends with that session. */
import { Key, Record, Text } from './fields.js';

@Record({
  table: 'provider_sessions',
  doc: 'Which session of an identity provider a token record comes from. Renewals never write it.',
  index: [['sessionHash']],
  hidden: true,
})
export class ProviderSession {
  @Key('uuid', { doc: 'Guid of the token record.' }) tokenGuid!: string;
  @Text({ doc: 'SHA-256 of issuer and sid.', max: 50 }) sessionHash!: string;
}
