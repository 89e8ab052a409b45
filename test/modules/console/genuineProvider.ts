/** A genuine OpenID provider (the npm package oidc-provider) on 127.0.0.1, and a person who fills in its pages. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { closeAtEnd } from '../../support/lifetimes.js';

export interface GenuineProvider {
  issuer: string;
  /** Requests so far, by method and path. */
  asked(): Promise<string[]>;
  close(): Promise<void>;
}

export const accountId = 'grace-at-the-provider';

/** A process of its own: what it checks of its settings it doesn't find in values that a test makes. @param client as it is registered there */
export async function startGenuineProvider(client: object): Promise<GenuineProvider> {
  const program = fileURLToPath(new URL('./genuineProviderProcess.js', import.meta.url));
  const child = fork(program, [JSON.stringify(client)], { execArgv: [], stdio: 'ignore' });
  const close = closeAtEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the provider did not start')));
    child.once('message', ({ issuer }: { issuer: string }) => resolve(issuer));
  });
  const asked = () =>
    new Promise<string[]>((resolve) => {
      child.once('message', ({ asked }: { asked: string[] }) => resolve(asked));
      child.send('asked');
    });
  return { issuer, asked, close };
}

/** Fills in whatever page the provider shows: signs in, consents, confirms, until the way leads back to the console. */
export async function passProvider(from: string, jar: Map<string, string>, console: string): Promise<string> {
  let [at, form] = [from, undefined as URLSearchParams | undefined];
  for (let step = 0; step < 30; step++) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';', 1)[0]!.split('=') as [string, string];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location) {
      [at, form] = [new URL(location, at).href, undefined];
      if (at.startsWith(console)) return at;
      continue;
    }
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    const action = /<form[^>]*action="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    form = new URLSearchParams(hidden.map(([, name, value]): [string, string] => [name!, value!]));
    if (text.includes('name="login"')) {
      form.set('login', accountId);
      form.set('password', 'any');
    }
    if (action.includes('/session/end')) form.set('logout', 'yes');
    at = new URL(action, at).href;
  }
  throw new Error('the provider leads nowhere');
}
