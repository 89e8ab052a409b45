import { waits } from './waits.js';

waits();
