import { looksAndPlants } from './plants.js';

looksAndPlants();
