/** What clients may request for themselves at the token endpoint (client_credentials). */
import type { ClientGrant } from '../context.js';
import { receiverGrant } from './events/receivers.js';
import { connectorGrant } from './scim/connectors.js';

export const clientGrants: ClientGrant[] = [
  receiverGrant, //
  connectorGrant,
];
