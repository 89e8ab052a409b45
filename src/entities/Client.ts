/** A client application that may ask for tokens. */
import type { Face } from './description.js';
import { Flag, Key, Record, Revision, Text, ToMany, When } from './fields.js';
import { Token } from './Token.js';

/** Longest client id, in UTF-16 code units: its 100 characters may be pairs. */
export const clientIdLengthMax = 200;

const seen: readonly Face[] = ['graph', 'filter', 'import'];
const visibleFaces: readonly Face[] = ['graph', 'filter'];
const importedFaces: readonly Face[] = ['graph', 'import'];

@Record({ table: 'clients', doc: 'A client application that may ask for tokens.', readWith: 'admin:security' })
export class Client {
  @Key('string', { doc: 'Id of the client.', max: 100, create: 'required', faces: seen }) clientId!: string;
  @Text({ doc: 'Hash of the secret (bcrypt).', max: 512 }) clientSecret!: string;
  @Text({ doc: 'Hash of the previous secret.', max: 512, nullable: true }) previousSecret!: string | null;
  @When({ doc: 'When the previous secret stops working.', nullable: true, faces: visibleFaces })
  previousSecretEndsAt!: Date | null;
  @Text({ doc: 'Display name.', max: 255, create: 'required', faces: seen }) name!: string;
  @Text({ doc: 'Description shown to people.', nullable: true, create: 'optional', faces: seen }) description!:
    | string
    | null;
  @When({ doc: 'When the client was created.', default: 'now()', faces: seen }) createdAt!: Date;
  @Flag({ doc: 'Whether the client may request tokens.', default: 'true', create: 'optional', faces: seen })
  isActive!: boolean;
  @Text({
    doc: 'The audiences that its tokens may have, separated by spaces, from `AUDIENCES` and `ADMIN_AUDIENCE`; null: all.',
    max: 1_000,
    nullable: true,
    create: 'optional',
    faces: seen,
  })
  allowedAudiences!: string | null;
  @Text({
    doc: 'The public keys with which the client authenticates by assertions: a JSON Web Key Set as text; null if there are none.',
    max: 16_384,
    nullable: true,
    create: 'optional',
    holdsJson: true,
    faces: importedFaces,
  })
  jwks!: string | null;
  @Text({
    doc: 'The URL of its public keys, as an alternative to jwks; null if there is none.',
    max: 2_000,
    nullable: true,
    create: 'optional',
    faces: importedFaces,
  })
  jwksUri!: string | null;
  @Flag({
    doc: 'Whether the tokens of the client must be bound to a key (DPoP).',
    default: 'false',
    create: 'optional',
    faces: seen,
  })
  dpopRequired!: boolean;
  @Flag({
    doc: 'Whether the client may request decisions about every user (AuthZEN).',
    default: 'false',
    create: 'optional',
    faces: seen,
  })
  mayEvaluate!: boolean;
  @Text({
    doc: 'The policy for its requests and tokens: `hardened`, or null for the policy of the service (TOKEN_POLICY).',
    max: 20,
    nullable: true,
    create: 'optional',
    faces: seen,
  })
  policy!: string | null;
  @When({ doc: 'Last use of the secret, to the minute.', nullable: true, faces: visibleFaces })
  secretLastUsedAt!: Date | null;
  @When({ doc: 'Last use of the previous secret, to the minute.', nullable: true, faces: visibleFaces })
  previousSecretLastUsedAt!: Date | null;
  @When({ doc: 'Last use of its keys, to the minute.', nullable: true, faces: visibleFaces })
  keysLastUsedAt!: Date | null;
  @Text({ doc: 'SHA-256 of the imported hash; null if the secret was created here.', max: 64, nullable: true })
  importedSecret!: string | null;
  @Flag({ doc: 'The value of isActive in the last import.', nullable: true }) importedIsActive!: boolean | null;
  @Revision() revision!: number;

  @ToMany(() => Token, 'clientId', { doc: 'The renewal tokens that were issued to the client.', faces: ['graph'] })
  tokens!: Token[];
}
