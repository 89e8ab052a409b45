/** A person who signs in at an identity provider. */
import type { Collection } from '@mikro-orm/core';
import { everywhere, graphOnly, inside, nowhere, visible } from './description.js';
import { Flag, Guid, Int, Key, Record, Text, ToMany, When } from './fields.js';
import { Stamped } from './Stamped.js';
import { Token } from './Token.js';
import { UserProfile } from './UserProfile.js';
import { userNameForm } from './valueForms.js';

@Record({
  table: 'users',
  doc: 'A person who signs in at an identity provider.',
  unique: [['idpname', 'idpid']],
  isOfCatalogue: true,
  faces: everywhere,
})
export class User extends Stamped {
  @Key('integer', 'Number of the user.') userId!: number;
  @Guid('Guid of the user: the `sub` of tokens.', { unique: true, default: 'gen_random_uuid()' }) userGuid!: string;
  @Text('Form of address.', { max: 50, nullable: true, create: 'optional', isBesideAccess: true }) salutation!:
    | string
    | null;
  @Text('Academic or other title.', { max: 50, nullable: true, create: 'optional', isBesideAccess: true }) title!:
    | string
    | null;
  @Text('First name.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true }) firstName!:
    | string
    | null;
  @Text('Last name.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true }) lastName!: string | null;
  @Text('Name of the identity provider of the user.', {
    max: 255,
    nullable: true,
    create: 'optional',
    guard: 'administration',
  })
  idpname!: string | null;
  @Text('Id of the user at the identity provider.', {
    max: 255,
    nullable: true,
    create: 'optional',
    guard: 'administration',
  })
  idpid!: string | null;
  @Text('Name of the user at the identity provider, as SCIM provisions it.', {
    max: 320,
    form: userNameForm,
    nullable: true,
    create: 'optional',
    faces: inside,
  })
  userName!: string | null;
  @Text('Telephone number.', { max: 50, nullable: true, create: 'optional', isBesideAccess: true }) telephone!:
    | string
    | null;
  @Text('Type of the telephone number, as SCIM provisions it; null for work.', {
    max: 50,
    nullable: true,
    create: 'optional',
    faces: inside,
    isBesideAccess: true,
  })
  telephoneType!: string | null;
  @Text('E-mail address.', { max: 320, nullable: true, create: 'optional', isBesideAccess: true }) email!:
    | string
    | null;
  @Text('Type of the e-mail address, as SCIM provisions it; null for work.', {
    max: 50,
    nullable: true,
    create: 'optional',
    faces: inside,
    isBesideAccess: true,
  })
  emailType!: string | null;
  @Text('Status as text.', { max: 50, nullable: true, create: 'optional', isBesideAccess: true }) status!:
    | string
    | null;
  @Int('Status as a number.', { nullable: true, create: 'optional', isBesideAccess: true }) statusId!: number | null;
  @When('Time of the last exchange of an ID token, to the hour.', { nullable: true, isUnversioned: true })
  lastLoginDate!: Date | null;
  @Text('Job title.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true }) jobTitle!: string | null;
  @Text('Addition to the job title.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true })
  jobTitleAdditional!: string | null;
  @Int('Job title as a number.', { nullable: true, create: 'optional', isBesideAccess: true }) jobTitleId!:
    | number
    | null;
  @Text('Department.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true }) department!:
    | string
    | null;
  @Text('Preferred language.', { max: 35, nullable: true, create: 'optional', isBesideAccess: true })
  languagePreference!: string | null;
  @Text('The e-mail subscriptions.', { nullable: true, create: 'optional', isBesideAccess: true }) emailSubscriptions!:
    | string
    | null;
  @Text('The notification options.', { nullable: true, create: 'optional', isBesideAccess: true }) notificationOptions!:
    | string
    | null;
  @Text('The accepted version of the terms of use.', {
    max: 50,
    nullable: true,
    create: 'optional',
    isBesideAccess: true,
  })
  anbversion!: string | null;
  @When('When the terms of use were accepted.', { nullable: true, create: 'optional', isBesideAccess: true })
  anbacceptanceDate!: Date | null;
  @Guid('Guid of the assigned customer support.', { nullable: true, create: 'optional', isBesideAccess: true })
  assignedCustomerSupportGuid!: string | null;
  @Guid('Guid of the user who sent the invitation.', { nullable: true, create: 'optional', isBesideAccess: true })
  invitedBy!: string | null;
  @When('When the user was invited.', { nullable: true, create: 'optional', isBesideAccess: true })
  invitationDate!: Date | null;
  @Text('Preferences of user interfaces.', { nullable: true, create: 'optional', isBesideAccess: true }) uipreferences!:
    | string
    | null;
  @Flag('Whether the user is blocked: exchanges and renewals fail.', {
    default: 'false',
    create: 'optional',
    guard: 'administration',
    faces: inside,
  })
  isBlocked!: boolean;
  @When('When a connector deleted the user, who is blocked since; null if none did.', {
    nullable: true,
    faces: visible,
  })
  deprovisionedAt!: Date | null;
  @Flag('The value of isBlocked in the last import.', { nullable: true, faces: nowhere })
  importedIsBlocked!: boolean | null;
  @Flag('Whether the user is active, as a connector said it last; null if none did.', {
    nullable: true,
    faces: nowhere,
  })
  provisionedActive!: boolean | null;

  @ToMany(() => UserProfile, 'userId', 'The profiles that the user holds.', { faces: inside })
  userProfiles!: Collection<UserProfile>;
  @ToMany(() => Token, 'userGuid', 'The renewal tokens of the user.', { to: 'userId', faces: graphOnly })
  tokens!: Token[];
}
