/** A session of the console. Each request reads the permissions from the profile. */
import { Guid, Key, Record, Text, When } from './fields.js';

@Record({
  table: 'console_sessions',
  doc: 'That somebody is signed in to the console.',
  index: [['userGuid'], ['endsAt'], ['providerSession']],
  hidden: true,
})
export class ConsoleSession {
  @Key('bytes', { doc: 'SHA-256 of the cookie’s value.' }) sessionHash!: Buffer;
  @Guid({ doc: 'The user who is signed in.' }) userGuid!: string;
  @Text({ doc: 'The profile with which the user administers.', max: 50 }) profileId!: string;
  @Text({ doc: 'The identity provider that authenticated the user.' }) issuer!: string;
  @Text({ doc: 'SHA-256 of the provider’s session (`sid`); null if the provider did not send it.', nullable: true })
  providerSession!: string | null;
  @When({ doc: 'When the session began.', default: 'now()' }) createdAt!: Date;
  @When({ doc: 'When the session was last used, to the minute.', default: 'now()' }) seenAt!: Date;
  @When({ doc: 'When the provider authenticated the user; null if the provider did not send it.', nullable: true })
  authenticatedAt!: Date | null;
  @When({ doc: 'When the session ends at the latest.' }) endsAt!: Date;
}
