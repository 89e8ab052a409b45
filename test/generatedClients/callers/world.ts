/** What a caller is given to use every operation once, and what it gives back. */
export interface World {
  url: string;
  /** Of an administrator. */
  adminToken: string;
  client: { client_id: string; client_secret: string };
  profileId: string;
  idToken: string;
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

/** What each operation was answered, in the order of the calls. */
export type CallAnswers = [operationId: string, status: number, seen: unknown][];

export const exchangeGrant = 'urn:service:authz:exchange';
export const apiVersion = '1.0' as const;
