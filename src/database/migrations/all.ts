/** Every migration, in order; written by `npm run generate`. */
import { Migration20261121090544 } from './Migration20261121090544.js';
import { Migration20261121100000 } from './Migration20261121100000.js';

export const allMigrations = [
  { name: 'Migration20261121090544', class: Migration20261121090544 },
  { name: 'Migration20261121100000', class: Migration20261121100000 },
];
