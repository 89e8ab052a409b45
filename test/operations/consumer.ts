/** A client application with a user who holds a profile, and what it asks of the token endpoints. */
import type { Answer, TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

export interface Consumer {
  exchange(headers?: Record<string, string>): Promise<Answer>;
  /** @param at another service that knows the client */
  renew(refreshToken: string, at?: TestApp): Promise<Answer>;
}

export async function newConsumer(app: TestApp): Promise<Consumer> {
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const common = { profileId, client_id: clientId, client_secret: clientSecret };
  return {
    exchange: (headers = {}) => {
      const id_token = app.idToken({ sub: userGuid });
      return app.post('/token', { ...common, ...exchangeBody(id_token) }, headers);
    },
    renew: (refreshToken, at = app) => at.post('/token', { ...common, ...renewalBody(refreshToken) }),
  };
}
