/** Every migration, in order; written by `npm run generate`. */
import { Migration20261125192500 } from './Migration20261125192500.js';
import { Migration20261126081930 } from './Migration20261126081930.js';
import { Migration20261127045429 } from './Migration20261127045429.js';
import { Migration20261127051842 } from './Migration20261127051842.js';
import { Migration20261127053000 } from './Migration20261127053000.js';
import { Migration20261127054224 } from './Migration20261127054224.js';
import { Migration20261127055310 } from './Migration20261127055310.js';
import { Migration20261127055320 } from './Migration20261127055320.js';
import { Migration20261127055800 } from './Migration20261127055800.js';
import { Migration20261127060000 } from './Migration20261127060000.js';
import { Migration20261127082121 } from './Migration20261127082121.js';
import { Migration20261127082343 } from './Migration20261127082343.js';
import { Migration20261128003500 } from './Migration20261128003500.js';
import { Migration20261128235900 } from './Migration20261128235900.js';
import { Migration20261129014500 } from './Migration20261129014500.js';
import { Migration20261129030300 } from './Migration20261129030300.js';
import { Migration20261129031500 } from './Migration20261129031500.js';
import { Migration20261129151014 } from './Migration20261129151014.js';
import { Migration20261129154500 } from './Migration20261129154500.js';

export const allMigrations = [
  { name: 'Migration20261125192500', class: Migration20261125192500 },
  { name: 'Migration20261126081930', class: Migration20261126081930 },
  { name: 'Migration20261127045429', class: Migration20261127045429 },
  { name: 'Migration20261127051842', class: Migration20261127051842 },
  { name: 'Migration20261127053000', class: Migration20261127053000 },
  { name: 'Migration20261127054224', class: Migration20261127054224 },
  { name: 'Migration20261127055310', class: Migration20261127055310 },
  { name: 'Migration20261127055320', class: Migration20261127055320 },
  { name: 'Migration20261127055800', class: Migration20261127055800 },
  { name: 'Migration20261127060000', class: Migration20261127060000 },
  { name: 'Migration20261127082121', class: Migration20261127082121 },
  { name: 'Migration20261127082343', class: Migration20261127082343 },
  { name: 'Migration20261128003500', class: Migration20261128003500 },
  { name: 'Migration20261128235900', class: Migration20261128235900 },
  { name: 'Migration20261129014500', class: Migration20261129014500 },
  { name: 'Migration20261129030300', class: Migration20261129030300 },
  { name: 'Migration20261129031500', class: Migration20261129031500 },
  { name: 'Migration20261129151014', class: Migration20261129151014 },
  { name: 'Migration20261129154500', class: Migration20261129154500 },
];
