/** What genuineProvider.ts runs: a provider with its own pages for signing in and consent, of the client that the first word is. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const asked: string[] = [];
process.on('message', () => process.send!({ asked }));
let answer: RequestListener = () => undefined;
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url?.split('?', 1)[0]}`);
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(issuer, {
  clients: [JSON.parse(process.argv[2]!)],
  pkce: { required: () => true },
  cookies: { keys: ['a key for tests'] },
  features: { rpInitiatedLogout: { enabled: true } },
  findAccount: async (_context: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
});
answer = provider.callback();
process.send!({ issuer });
