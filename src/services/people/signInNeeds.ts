/** Says what an ID token of each configured identity provider needs to sign in a person, before the person is created or corrected. */
import type { Context } from '../../context.js';
import { permit } from '../permit.js';
import { hasSeveralIssuers } from '../tokens/usersOfNoIssuer.js';

/** The fields by which an ID token names a person. */
export interface Identity {
  userGuid?: string | null | undefined;
  idpname?: string | null | undefined;
  idpid?: string | null | undefined;
}

interface SignInNeed {
  issuer: string;
  /** The `idpname` of the issuer's people. */
  idpname: string;
  /** `aud` is one of them. */
  audiences: string[];
  /** The `sub` that names the person; null: no ID token of the issuer does. */
  sub: string | null;
  text: string;
}

/** The same rule as that of an exchange (`subjectConditions`), read the other way round. */
export function listSignInNeeds(context: Context, { userGuid, idpname, idpid }: Identity): SignInNeed[] {
  permit(context, 'admin:write');
  const { issuers } = context;
  const isOnly = !hasSeveralIssuers({ idTokenIssuers: [...issuers] });
  return issuers.map(({ issuer, audience, idpname: own, subject }) => {
    const audiences = [audience].flat();
    const isOwn = idpname === own || (!idpname && isOnly && subject === 'userGuid');
    const value = (subject === 'userGuid' ? userGuid?.toLowerCase() : idpid) || null;
    const sub = isOwn ? value : null;
    return { issuer, idpname: own, audiences, sub, text: sentence() };

    function sentence(): string {
      if (!isOwn) return `${issuer} signs in people with the identity provider ${own}.`;
      if (value === null)
        return subject === 'userGuid'
          ? `${issuer} signs this person in by the guid that the person gets here.`
          : `${issuer} signs this person in when the id there is the sub of its ID tokens.`;
      return `${issuer} signs this person in by an ID token with sub ${value} and aud ${audiences.join(' or ')}.`;
    }
  });
}
