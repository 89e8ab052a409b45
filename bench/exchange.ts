/** Row `exchange`: ID tokens that were made in advance, each used once, beside the limit. */
import { besideLimit, throughput } from './besideLimit.js';
import { inTurn, post } from './load.js';
import type { Row } from './row.js';
import { credentials, makeIdTokens, profileId } from './tokenData.js';

const connections = 32;

export const rows: Row[] = [
  besideLimit({
    name: 'exchange',
    work: `exchange, ${connections} connections`,
    description:
      'ES256 ID tokens of a provider on this machine, made in advance, each used once; client check on (secret remembered). LIMIT',
    target: (bench, side, answersMax) => {
      const tokens = makeIdTokens(bench, answersMax);
      const request = (index: number) =>
        `{"grant_type":"urn:service:authz:exchange","id_token":"${tokens[index % tokens.length]}","profileId":"${profileId}",${credentials}}`;
      const expected = /"access_token":"[\w-]+\.[\w-]+\.[\w-]+".*"refresh_token":"[\w.-]+"/;
      return inTurn(side, connections, (index) => post('/token', request(index)), expected);
    },
    ratios: throughput(0.75, 0.9),
  }),
];
