/** What `doctor` says of an identity provider whose certificate is refused: which it is, until when it was valid, what to do. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { examine } from '../../src/cli/doctor.js';
import { closeAtEnd } from '../support/lifetimes.js';

let folder: string;
const file = (name: string): string => join(folder, name);
const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const rsaKey = ['-newkey', 'rsa:2048', '-nodes'];
const onlyOldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const weakKey = ['-newkey', 'rsa:1024', '-nodes'];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificate-'));
  for (const name of ['known', 'unknown'])
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '9',
      '-subj',
      `/CN=${name} CA`,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.pem`),
    );
  setDefaultCACertificates([...getCACertificates(), readFileSync(file('known.pem'), 'utf8')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Wanted {
  /** Signs the certificate; absent: the certificate itself. */
  ca?: string;
  days: number;
  host: string;
  key?: string[];
  hash?: string;
  purpose?: string;
}

function certificate({ ca, days, host, key = newKey, hash = 'sha256', purpose = 'serverAuth' }: Wanted) {
  const subject = ['-subj', '/CN=idp of the test', '-addext', `subjectAltName=DNS:${host}`];
  subject.push('-addext', `extendedKeyUsage=${purpose}`);
  if (ca === undefined)
    openssl('req', '-x509', ...newKey, ...subject, '-days', String(days), '-keyout', file('key'), '-out', file('cert'));
  else {
    openssl('req', ...key, ...subject, '-keyout', file('key'), '-out', file('request'));
    const signed = [
      '-CA',
      file(`${ca}.pem`),
      '-CAkey',
      file(`${ca}.key`),
      '-CAcreateserial',
      '-copy_extensions',
      'copy',
      `-${hash}`,
    ];
    openssl('x509', '-req', '-in', file('request'), ...signed, '-days', String(days), '-out', file('cert'));
  }
  return { key: readFileSync(file('key')), cert: readFileSync(file('cert')) };
}

/** What `doctor` says of a provider on this port. */
async function examinedAt(port: number) {
  const entry = { issuer: `https://localhost:${port}`, audience: 'a', idpname: 'x', subject: 'idpid' };
  const issuers = JSON.stringify([{ ...entry, console: { clientId: 'console' } }]);
  const settings = { DATABASE_URL: 'postgresql://127.0.0.1:1/x', ID_TOKEN_ISSUERS: issuers, PORT: '0' };
  const findings = await examine(settings, async () => undefined);
  return ['identity provider', 'console'].map((what) => findings.find((finding) => finding.what === what)!);
}

async function listen(server: Server): Promise<number> {
  closeAtEnd(async () => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

it.each<[string, Wanted, string]>([
  ['that has expired', { ca: 'known', days: -1, host: 'localhost' }, 'The provider must renew it'],
  ['signed by itself', { days: 1, host: 'localhost' }, 'It is signed by itself'],
  ['of a CA that Node does not know', { ca: 'unknown', days: 1, host: 'localhost' }, 'NODE_EXTRA_CA_CERTS'],
  ['of an unknown CA that has expired', { ca: 'unknown', days: -1, host: 'localhost' }, 'The provider must renew it'],
  ['for another host', { ca: 'known', days: 1, host: 'idp.example' }, 'It is not for this host'],
  [
    'that is not for servers',
    { ca: 'known', days: 1, host: 'localhost', purpose: 'clientAuth' },
    'It is not for servers',
  ],
  ['with a key of 1024 bits', { ca: 'known', days: 1, host: 'localhost', key: weakKey }, 'a key of 2048 bits'],
  ['signed with SHA-1', { ca: 'known', days: 1, host: 'localhost', hash: 'sha1' }, 'signed with SHA-256'],
])('a certificate %s is described to the operator, with its dates and what to do', async (_what, given, advice) => {
  let requests = 0;
  // otherwise the server itself refuses a weak certificate
  const options = { ...certificate(given), ciphers: 'DEFAULT@SECLEVEL=0' };
  const server = createServer(options, (_request, response) => {
    requests++;
    response.end('{}');
  });
  const findings = await examinedAt(await listen(server));
  const until = new Date(new Date().setUTCDate(new Date().getUTCDate() + given.days)).toISOString().slice(0, 10);
  for (const { what, ok, text } of findings) {
    expect([what, ok]).toEqual([what, false]);
    expect(text).toMatch(
      /Its certificate \(of idp of the test, issued by (idp of the test|(un)?known CA)\) is valid from/,
    );
    expect(text).toContain(` until ${until}T`);
    expect(text).toContain(advice);
  }
  // the unchecked connection carries nothing
  expect(requests).toBe(0);
});

/** A CA between, signed by the known one, that has expired. */
function expiredAuthority(): string {
  const isCa = ['-addext', 'basicConstraints=critical,CA:TRUE'];
  openssl('req', ...newKey, '-subj', '/CN=old CA', ...isCa, '-keyout', file('old.key'), '-out', file('request'));
  const signed = ['-CA', file('known.pem'), '-CAkey', file('known.key'), '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', file('request'), ...signed, '-days', '-1', '-out', file('old.pem'));
  return readFileSync(file('old.pem'), 'utf8');
}

it('a provider whose own certificate is valid is told that a CA above it has expired', async () => {
  const authority = expiredAuthority();
  const { key, cert } = certificate({ ca: 'old', days: 1, host: 'localhost' });
  const server = createServer({ key, cert: `${cert}${authority}` }, (_request, response) => response.end('{}'));
  for (const { text } of await examinedAt(await listen(server))) {
    expect(text).toContain('issued by old CA) is valid from');
    expect(text).toMatch(/That of a CA above it has expired: the provider must send the present one, or NODE_EXTRA/);
    expect(text).not.toContain('must renew it');
  }
});

it('a file of NODE_EXTRA_CA_CERTS counts the certificates that can be read, and one that cannot is a failure', async () => {
  const [known, unknown] = ['known', 'unknown'].map((name) => readFileSync(file(`${name}.pem`), 'utf8'));
  const found = async (text: string) => {
    writeFileSync(file('authorities'), text);
    const settings = {
      DATABASE_URL: 'postgresql://127.0.0.1:1/x',
      PORT: '0',
      NODE_EXTRA_CA_CERTS: file('authorities'),
    };
    const findings = await examine(settings, async () => undefined);
    const { ok, text: said } = findings.find(({ what }) => what === 'NODE_EXTRA_CA_CERTS')!;
    return [ok, said.replace(file('authorities'), 'FILE')];
  };
  expect(await found(`# known\n${known}# unknown\n${unknown}`)).toEqual([true, 'FILE has 2 certificates']);
  const unreadable = "FILE: certificate 2 of 2 can't be read: copy the file again from your CA";
  expect(await found(known + unknown!.replaceAll('MII', 'M'))).toEqual([false, unreadable]);
  expect(await found(known + unknown!.slice(0, 100))).toEqual([false, unreadable]);
  expect(await found(known + expiredAuthority())).toEqual([
    true,
    expect.stringMatching(/^FILE: certificate 2 of 2 \(CN=old CA\) was valid until \d{4}-.*Z: remove it/),
  ]);
  expect(await found('')).toEqual([false, 'FILE has 0 certificates: it must be a file in PEM form']);
});

const oldTls = () => ({ ...certificate({ ca: 'known', days: 1, host: 'localhost', key: rsaKey }), ...onlyOldTls });
it.each<[string, () => Server, RegExp]>([
  [
    'TLS 1.1',
    () => createServer(oldTls()),
    /: tlsv1 alert protocol version\. The provider has only old TLS: it must switch on TLS 1\.2 or 1\.3$/,
  ],
  [
    'no TLS',
    () => createHttpServer(),
    /: wrong version number\. It answers without TLS: correct the port or the https:\/\/ of its address/,
  ],
])('a provider with %s at an https address is named as such, with what to do', async (_what, open, text) => {
  for (const { ok, text: said } of await examinedAt(await listen(open())))
    expect([ok, said]).toEqual([false, expect.stringMatching(text)]);
});
