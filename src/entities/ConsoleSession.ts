/** That somebody is signed in to the console; what that one may do is asked of the profile at each request. */
import { Guid, Key, Record, Text, When } from './fields.js';

@Record({
  table: 'console_sessions',
  doc: 'That somebody is signed in to the console.',
  index: [['userGuid'], ['endsAt'], ['providerSession']],
  hidden: true,
})
export class ConsoleSession {
  @Key('bytes', { doc: 'SHA-256 of the cookie’s value.' }) sessionHash!: Buffer;
  @Guid({ doc: 'Who is signed in.' }) userGuid!: string;
  @Text({ doc: 'The profile that is administered with.', max: 50 }) profileId!: string;
  @Text({ doc: 'The identity provider that said who it is.' }) issuer!: string;
  @Text({ doc: 'SHA-256 of the provider’s session (`sid`); null: the provider did not say.', nullable: true })
  providerSession!: string | null;
  @When({ doc: 'When it began.', default: 'now()' }) createdAt!: Date;
  @When({ doc: 'When it was last used, to the minute.', default: 'now()' }) seenAt!: Date;
  @When({ doc: 'When the person proved to the provider who it is; null: the provider did not say.', nullable: true })
  authenticatedAt!: Date | null;
  @When({ doc: 'When it ends in any case.' }) endsAt!: Date;
}
