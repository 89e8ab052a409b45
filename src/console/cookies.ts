/** The console's two cookies: of a session, and of a sign-in that is under way. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Cookies {
  session: Cookie;
  flow: Cookie;
}

export interface Cookie {
  read(request: IncomingMessage): string | undefined;
  write(response: ServerResponse, value: string, maxAgeSeconds: number): void;
  clear(response: ServerResponse): void;
}

/** @param issuerUrl as browsers see it: by plain http they keep no Secure cookie, but of their own machine */
export function openCookies(issuerUrl: string): Cookies {
  const { protocol, hostname } = new URL(issuerUrl);
  const isSecure = protocol === 'https:' || /^(127\.0\.0\.1|\[::1\]|(.{1,200}\.)?localhost)$/.test(hostname);
  // RFC 6265bis §4.1.3.2: no other host and no plain http can set one of that name
  const name = (own: string): string => (isSecure ? `__Host-${own}` : own);
  return {
    session: openCookie(name('gatehouse'), `SameSite=Strict${isSecure ? '; Secure' : ''}`),
    // the way back begins at the provider's site
    flow: openCookie(name('gatehouse-flow'), `SameSite=Lax${isSecure ? '; Secure' : ''}`),
  };
}

function openCookie(name: string, attributes: string): Cookie {
  const write = (response: ServerResponse, value: string, maxAgeSeconds: number): void => {
    response.appendHeader('set-cookie', `${name}=${value}; Path=/; HttpOnly; ${attributes}; Max-Age=${maxAgeSeconds}`);
  };
  return {
    read: ({ headers }) => {
      for (const pair of (headers.cookie ?? '').split(';')) {
        const at = pair.indexOf('=');
        if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
      }
      return undefined;
    },
    write,
    clear: (response) => write(response, '', 0),
  };
}
