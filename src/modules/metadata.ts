/** The metadata documents that the modules publish below `/.well-known`. */
import type { PublishDocuments } from '../rest/token/metadata.js';
import { publishDoor } from './door/endpoints/metadata.js';

export const publications: PublishDocuments[] = [
  publishDoor, //
];
