/** A client application that may ask for tokens. */
import { graphOnly, inside, visible } from './description.js';
import { Flag, Key, Record, Revision, Text, ToMany, When } from './fields.js';
import { Token } from './Token.js';

/** Longest client id, in UTF-16 code units: its 100 characters may be pairs. */
export const clientIdLengthMax = 200;

@Record({ table: 'clients', doc: 'A client application that may ask for tokens.', readWith: 'admin:security' })
export class Client {
  @Key('string', 'Id of the client.', { max: 100, create: 'required', faces: inside }) clientId!: string;
  @Text('Hash of the secret (bcrypt).', { max: 512 }) clientSecret!: string;
  @Text('Hash of the previous secret.', { max: 512, nullable: true }) previousSecret!: string | null;
  @When('When the previous secret stops working.', { nullable: true, faces: visible })
  previousSecretEndsAt!: Date | null;
  @Text('Display name.', { max: 255, create: 'required', faces: inside }) name!: string;
  @Text('Description shown to people.', { nullable: true, create: 'optional', faces: inside })
  description!: string | null;
  @When('When the client was created.', { default: 'now()', faces: inside }) createdAt!: Date;
  @Flag('Whether the client may request tokens.', { default: 'true', create: 'optional', faces: inside })
  isActive!: boolean;
  @Text(
    'The audiences that tokens of the client may have, separated by spaces, from the settings `AUDIENCES` and `ADMIN_AUDIENCE`; null: all.',
    { max: 1_000, nullable: true, create: 'optional', faces: inside },
  )
  allowedAudiences!: string | null;
  @Text(
    'The public keys with which the client authenticates by assertions: a JSON Web Key Set as text; null if there are none.',
    { max: 16_384, nullable: true, create: 'optional', holdsJson: true, faces: ['graph', 'import'] },
  )
  jwks!: string | null;
  @Text('The URL of the public keys of the client, as an alternative to jwks; null if there is none.', {
    max: 2_000,
    nullable: true,
    create: 'optional',
    faces: ['graph', 'import'],
  })
  jwksUri!: string | null;
  @Flag('Whether the tokens of the client must be bound to a key (DPoP).', {
    default: 'false',
    create: 'optional',
    faces: inside,
  })
  dpopRequired!: boolean;
  @Flag('Whether the client may request decisions about every user (AuthZEN).', {
    default: 'false',
    create: 'optional',
    faces: inside,
  })
  mayEvaluate!: boolean;
  @Flag('Whether the client may manage event streams of its own and get their events (SSF).', {
    default: 'false',
    create: 'optional',
    faces: inside,
  })
  mayReceiveEvents!: boolean;
  @Text(
    'The policy for requests and tokens of the client: `hardened`, or null for the policy of the service (TOKEN_POLICY).',
    {
      max: 20,
      nullable: true,
      create: 'optional',
      faces: inside,
    },
  )
  policy!: string | null;
  @When('Last use of the secret, to the minute.', { nullable: true, faces: visible }) secretLastUsedAt!: Date | null;
  @When('Last use of the previous secret, to the minute.', { nullable: true, faces: visible })
  previousSecretLastUsedAt!: Date | null;
  @When('Last use of the client’s keys, to the minute.', { nullable: true, faces: visible })
  keysLastUsedAt!: Date | null;
  @Text('SHA-256 of the imported hash; null if the secret was created here.', { max: 64, nullable: true })
  importedSecret!: string | null;
  @Flag('The value of isActive in the last import.', { nullable: true }) importedIsActive!: boolean | null;
  @Revision() revision!: number;

  @ToMany(() => Token, 'clientId', 'The renewal tokens that were issued to the client.', { faces: graphOnly })
  tokens!: Token[];
}
