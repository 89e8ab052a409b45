/** A browser as far as sign-in needs one: it keeps cookies, follows redirects, and sends what a browser would. */
import { type Answer, readAnswer } from '../../support/app.js';
import { built } from './documents.js';

/** What the console's pages send with each request to the graph. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'x-gatehouse-console': '1' };

export interface Browser {
  /** Goes to an address as if it were typed or linked to, without following redirects. */
  go(url: string, headers?: Record<string, string>): Promise<Answer>;
  /** Goes on through redirects of any site, until something is answered. */
  follow(url: string): Promise<Answer>;
  /** What the console's pages send. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** An operation over the console's own way, as one of the console's own. */
  ask(query: string, variables?: object): Promise<Answer>;
  /** The cookies that it has, by their names. */
  cookies: Map<string, string>;
}

/** @param base of the service, with its base path */
export function openBrowser(base: string): Browser {
  const cookies = new Map<string, string>();
  const own = new URL(base).origin;
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';', 1);
      const at = pair!.indexOf('=');
      if (/Max-Age=0/.test(line)) cookies.delete(pair!.slice(0, at));
      else cookies.set(pair!.slice(0, at), pair!.slice(at + 1));
    }
  };
  const cookie = (url: string) =>
    new URL(url).origin === own ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {};
  const go: Browser['go'] = async (url, headers = {}) => {
    const sent = { accept: 'text/html', ...cookie(url), ...headers };
    const response = await fetch(url, { redirect: 'manual', headers: sent });
    if (new URL(url).origin === own) keep(response);
    return readAnswer(response);
  };
  const post: Browser['post'] = async (path, body, headers = fromOwnPage) => {
    const url = base + path;
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...cookie(url), ...headers },
      body: JSON.stringify(body),
    });
    keep(response);
    return readAnswer(response);
  };
  return {
    cookies,
    go,
    async follow(url) {
      let at = url;
      for (let step = 0; step < 20; step++) {
        const answer = await go(at);
        const location = answer.headers.get('location');
        if (location === null) return answer;
        at = new URL(location, at).href;
      }
      throw new Error('redirects without end');
    },
    post,
    ask: (query, variables) => post('/console/graphql', { documentId: built(query), ...(variables && { variables }) }),
  };
}
