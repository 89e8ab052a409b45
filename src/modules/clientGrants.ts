/** What clients may request for themselves at the token endpoint (client_credentials). */
import type { ClientGrant } from '../context.js';
import { connectorGrant } from '../services/provisioning/connectors.js';
import { receiverGrant } from './events/receivers.js';

export const clientGrants: ClientGrant[] = [
  receiverGrant, //
  connectorGrant,
];
