/** What `doctor` says of an identity provider whose certificate is refused: which it is, until when it was valid, what to do. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { examine } from '../../src/cli/doctor.js';
import { closeAtEnd } from '../support/lifetimes.js';

let folder: string;
const file = (name: string): string => join(folder, name);
const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
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

/** @param ca signs the certificate; absent: the certificate itself */
function certificate({ ca, days, host }: { ca?: string; days: number; host: string }) {
  const subject = ['-subj', '/CN=idp of the test', '-addext', `subjectAltName=DNS:${host}`];
  if (ca === undefined)
    openssl('req', '-x509', ...newKey, ...subject, '-days', String(days), '-keyout', file('key'), '-out', file('cert'));
  else {
    openssl('req', ...newKey, ...subject, '-keyout', file('key'), '-out', file('request'));
    const signed = [
      '-CA',
      file(`${ca}.pem`),
      '-CAkey',
      file(`${ca}.key`),
      '-CAcreateserial',
      '-copy_extensions',
      'copy',
    ];
    openssl('x509', '-req', '-in', file('request'), ...signed, '-days', String(days), '-out', file('cert'));
  }
  return { key: readFileSync(file('key')), cert: readFileSync(file('cert')) };
}

it.each([
  ['that has expired', { ca: 'known', days: -1, host: 'localhost' }, 'The provider must renew it'],
  ['signed by itself', { days: 1, host: 'localhost' }, 'It is signed by itself'],
  ['of a CA that Node does not know', { ca: 'unknown', days: 1, host: 'localhost' }, 'NODE_EXTRA_CA_CERTS'],
  ['of an unknown CA that has expired', { ca: 'unknown', days: -1, host: 'localhost' }, 'The provider must renew it'],
  ['for another host', { ca: 'known', days: 1, host: 'idp.example' }, 'It is not for this host'],
])('a certificate %s is described to the operator, with its dates and what to do', async (_what, given, advice) => {
  let requests = 0;
  const server = createServer(certificate(given), (_request, response) => {
    requests++;
    response.end('{}');
  });
  closeAtEnd(async () => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const entry = { issuer, audience: 'a', idpname: 'x', subject: 'idpid', console: { clientId: 'console' } };
  const findings = await examine(
    { DATABASE_URL: 'postgresql://127.0.0.1:1/x', ID_TOKEN_ISSUERS: JSON.stringify([entry]), PORT: '0' },
    async () => undefined,
  );
  const until = new Date(new Date().setUTCDate(new Date().getUTCDate() + given.days)).toISOString().slice(0, 10);
  for (const what of ['identity provider', 'console']) {
    const { ok, text } = findings.find((finding) => finding.what === what)!;
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
