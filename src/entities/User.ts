/** A person who signs in at an identity provider. */
import type { Collection } from '@mikro-orm/core';
import { everywhere, inside } from './description.js';
import { Flag, Guid, Int, Key, Record, Text, ToMany, When } from './fields.js';
import { Stamped } from './Stamped.js';
import { Token } from './Token.js';
import { UserProfile } from './UserProfile.js';

@Record({
  table: 'users',
  doc: 'A person who signs in at an identity provider.',
  unique: [['idpname', 'idpid']],
})
export class User extends Stamped {
  @Key('integer', { doc: 'Number of the user.', faces: everywhere }) userId!: number;
  @Guid({
    doc: 'Guid of the user: the `sub` of tokens.',
    unique: true,
    default: 'gen_random_uuid()',
    faces: everywhere,
  })
  userGuid!: string;
  @Text({ doc: 'Form of address.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  salutation!: string | null;
  @Text({ doc: 'Academic or other title.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  title!: string | null;
  @Text({ doc: 'First name.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  firstName!: string | null;
  @Text({ doc: 'Last name.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  lastName!: string | null;
  @Text({
    doc: 'Name of the identity provider of the user.',
    max: 255,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  idpname!: string | null;
  @Text({
    doc: 'Id of the user at the identity provider.',
    max: 255,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  idpid!: string | null;
  @Text({
    doc: 'Name of the user at the identity provider, as SCIM provisions it.',
    max: 320,
    nullable: true,
    create: 'optional',
    faces: inside,
  })
  userName!: string | null;
  @Text({ doc: 'Telephone number.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  telephone!: string | null;
  @Text({ doc: 'E-mail address.', max: 320, nullable: true, create: 'optional', faces: everywhere })
  email!: string | null;
  @Text({ doc: 'Status as text.', max: 50, nullable: true, create: 'optional', faces: everywhere })
  status!: string | null;
  @Int({ doc: 'Status as a number.', nullable: true, create: 'optional', faces: everywhere })
  statusId!: number | null;
  @When({ doc: 'Time of the last exchange of an ID token, to the hour.', nullable: true, faces: everywhere })
  lastLoginDate!: Date | null;
  @Text({ doc: 'Job title.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  jobTitle!: string | null;
  @Text({ doc: 'Addition to the job title.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  jobTitleAdditional!: string | null;
  @Int({ doc: 'Job title as a number.', nullable: true, create: 'optional', faces: everywhere })
  jobTitleId!: number | null;
  @Text({ doc: 'Department.', max: 255, nullable: true, create: 'optional', faces: everywhere })
  department!: string | null;
  @Text({ doc: 'Preferred language.', max: 35, nullable: true, create: 'optional', faces: everywhere })
  languagePreference!: string | null;
  @Text({ doc: 'The e-mail subscriptions.', nullable: true, create: 'optional', faces: everywhere })
  emailSubscriptions!: string | null;
  @Text({ doc: 'The notification options.', nullable: true, create: 'optional', faces: everywhere })
  notificationOptions!: string | null;
  @Text({
    doc: 'The accepted version of the terms of use.',
    max: 50,
    nullable: true,
    create: 'optional',
    faces: everywhere,
  })
  anbversion!: string | null;
  @When({ doc: 'When the terms of use were accepted.', nullable: true, create: 'optional', faces: everywhere })
  anbacceptanceDate!: Date | null;
  @Guid({ doc: 'Guid of the assigned customer support.', nullable: true, create: 'optional', faces: everywhere })
  assignedCustomerSupportGuid!: string | null;
  @Guid({ doc: 'Guid of the user who sent the invitation.', nullable: true, create: 'optional', faces: everywhere })
  invitedBy!: string | null;
  @When({ doc: 'When the user was invited.', nullable: true, create: 'optional', faces: everywhere })
  invitationDate!: Date | null;
  @Text({ doc: 'Preferences of user interfaces.', nullable: true, create: 'optional', faces: everywhere })
  uipreferences!: string | null;
  @Flag({
    doc: 'Whether the user is blocked: exchanges and renewals fail.',
    default: 'false',
    create: 'optional',
    faces: inside,
  })
  isBlocked!: boolean;
  @When({
    doc: 'When a connector deleted the user, who is blocked since; null if none did.',
    nullable: true,
    faces: ['graph', 'filter'],
  })
  deprovisionedAt!: Date | null;
  @Flag({ doc: 'The value of isBlocked in the last import.', nullable: true }) importedIsBlocked!: boolean | null;

  @ToMany(() => UserProfile, 'userId', { doc: 'The profiles that the user holds.', faces: inside })
  userProfiles!: Collection<UserProfile>;
  @ToMany(() => Token, 'userGuid', { doc: 'The renewal tokens of the user.', to: 'userId', faces: ['graph'] })
  tokens!: Token[];
}
