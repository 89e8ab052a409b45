/** Every migration, in order; written by `npm run generate`. */
import { Migration20261121090544 } from './Migration20261121090544.js';
import { Migration20261121090600 } from './Migration20261121090600.js';
import { Migration20261121094711 } from './Migration20261121094711.js';
import { Migration20261121101800 } from './Migration20261121101800.js';
import { Migration20261121103801 } from './Migration20261121103801.js';
import { Migration20261121233939 } from './Migration20261121233939.js';
import { Migration20261121235600 } from './Migration20261121235600.js';
import { Migration20261122000100 } from './Migration20261122000100.js';
import { Migration20261122000204 } from './Migration20261122000204.js';
import { Migration20261122000205 } from './Migration20261122000205.js';
import { Migration20261122000206 } from './Migration20261122000206.js';
import { Migration20261122000231 } from './Migration20261122000231.js';
import { Migration20261122002827 } from './Migration20261122002827.js';
import { Migration20261122011023 } from './Migration20261122011023.js';
import { Migration20261122011045 } from './Migration20261122011045.js';
import { Migration20261122043436 } from './Migration20261122043436.js';
import { Migration20261122050109 } from './Migration20261122050109.js';
import { Migration20261122051540 } from './Migration20261122051540.js';
import { Migration20261122051947 } from './Migration20261122051947.js';
import { Migration20261122053000 } from './Migration20261122053000.js';
import { Migration20261122054113 } from './Migration20261122054113.js';
import { Migration20261122055453 } from './Migration20261122055453.js';

export const allMigrations = [
  { name: 'Migration20261121090544', class: Migration20261121090544 },
  { name: 'Migration20261121090600', class: Migration20261121090600 },
  { name: 'Migration20261121094711', class: Migration20261121094711 },
  { name: 'Migration20261121101800', class: Migration20261121101800 },
  { name: 'Migration20261121103801', class: Migration20261121103801 },
  { name: 'Migration20261121233939', class: Migration20261121233939 },
  { name: 'Migration20261121235600', class: Migration20261121235600 },
  { name: 'Migration20261122000100', class: Migration20261122000100 },
  { name: 'Migration20261122000204', class: Migration20261122000204 },
  { name: 'Migration20261122000205', class: Migration20261122000205 },
  { name: 'Migration20261122000206', class: Migration20261122000206 },
  { name: 'Migration20261122000231', class: Migration20261122000231 },
  { name: 'Migration20261122002827', class: Migration20261122002827 },
  { name: 'Migration20261122011023', class: Migration20261122011023 },
  { name: 'Migration20261122011045', class: Migration20261122011045 },
  { name: 'Migration20261122043436', class: Migration20261122043436 },
  { name: 'Migration20261122050109', class: Migration20261122050109 },
  { name: 'Migration20261122051540', class: Migration20261122051540 },
  { name: 'Migration20261122051947', class: Migration20261122051947 },
  { name: 'Migration20261122053000', class: Migration20261122053000 },
  { name: 'Migration20261122054113', class: Migration20261122054113 },
  { name: 'Migration20261122055453', class: Migration20261122055453 },
];
