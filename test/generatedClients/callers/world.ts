/** What a caller is given to use every operation once, and what it gives back. */
export interface World {
  url: string;
  /** Of an administrator. */
  adminToken: string;
  /** May ask for decisions. */
  client: { client_id: string; client_secret: string };
  userGuid: string;
  profileId: string;
  idToken: string;
  /** Entries of `scopes` that the profile has. */
  scopes: [string, string];
  accessScopeGuids: [string, string, string];
  application: {
    name: string;
    iconDefault: string;
    iconHover: string;
    appType: string;
    renderingMode: string;
    linkType: string;
  };
}

/** Whether the user may use the first scope, and one question more: whether anybody may use another. */
export const questionsOf = ({ userGuid, scopes: [first] }: World) => {
  const question = {
    subject: { type: 'user', id: userGuid },
    action: { name: 'use' },
    resource: { type: 'scope', id: first },
  };
  const evaluations = [{}, { resource: { type: 'scope', id: `${first}-not` } }];
  return { question, questions: { ...question, evaluations } };
};

/** What each operation was answered, in the order of the calls. */
export type CallAnswers = [operationId: string, status: number, seen: unknown][];

export const exchangeGrant = 'urn:service:authz:exchange';
export const apiVersion = '1.0' as const;
