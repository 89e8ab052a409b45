/** Every migration, in order; written by `npm run generate`. */
import { Migration20261121090544 } from './Migration20261121090544.js';
import { Migration20261121090600 } from './Migration20261121090600.js';
import { Migration20261121094711 } from './Migration20261121094711.js';
import { Migration20261121101800 } from './Migration20261121101800.js';
import { Migration20261121103801 } from './Migration20261121103801.js';

export const allMigrations = [
  { name: 'Migration20261121090544', class: Migration20261121090544 },
  { name: 'Migration20261121090600', class: Migration20261121090600 },
  { name: 'Migration20261121094711', class: Migration20261121094711 },
  { name: 'Migration20261121101800', class: Migration20261121101800 },
  { name: 'Migration20261121103801', class: Migration20261121103801 },
];
