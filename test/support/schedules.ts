/** Tests that draw what they play: a little when a file is named, more in `npm run test:long` or with GATEHOUSE_SCHEDULES. */
import { randomInt } from 'node:crypto';

/** How many times more than a named file plays. */
export const factor = Number(process.env.GATEHOUSE_SCHEDULES ?? 1);

const chosen = process.env.GATEHOUSE_SEED;
/** GATEHOUSE_SEED plays the same again. A test whose name has it shows it also when it passes. */
export const seed = chosen === undefined ? randomInt(2 ** 31) : Number(chosen);
