/** Reads how people would sign in. */
import { Args, ArgsType, Ctx, Query, Resolver } from 'type-graphql';
import { Uuid } from '../../../entities/scalars.js';
import type { GraphContext } from '../../../graphql/resolving/loaders.js';
import { Member, MemberOrNull, Requires, Result } from '../../../graphql/schema/operations.js';
import { type Identity, listSignInNeeds } from '../../../services/people/signInNeeds.js';

@Result('What an ID token of an identity provider needs to sign in a person.')
class SignInNeed {
  @Member(String, 'The issuer: `iss` of its ID tokens.') issuer!: string;
  @Member(String, 'The `idpname` of the people of the issuer.') idpname!: string;
  @Member([String], '`aud` contains one of these.') audiences!: string[];
  @MemberOrNull(String, 'The `sub` that names the person; null: no ID token of the issuer names the person.')
  sub!: string | null;
  @Member(String, 'The same for people.') text!: string;
}

@ArgsType()
class IdentityArguments implements Identity {
  @MemberOrNull(Uuid, 'Guid of the user.') userGuid?: string | null;
  @MemberOrNull(String, 'Name of the identity provider of the user.') idpname?: string | null;
  @MemberOrNull(String, 'Id of the user at the identity provider.') idpid?: string | null;
}

@Resolver()
export class SignInNeedResolver {
  @Query(() => [SignInNeed], {
    description:
      'Returns, for each configured identity provider, what its ID tokens need to sign in a user with these fields. The user need not exist.',
  })
  @Requires('admin:write')
  signInNeeds(@Args(() => IdentityArguments) identity: IdentityArguments, @Ctx() context: GraphContext) {
    return listSignInNeeds(context, identity);
  }
}
