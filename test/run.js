/** `npm test [-- fast] [parts of paths …] [jest's options]`: jest, on the tests of test/sets.js. */
import { run } from 'jest';
import { isSet } from './sets.js';

await run(process.argv.slice(2).filter((word) => !isSet(word)));
