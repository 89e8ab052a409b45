/** bin/gatehouse …: runs cli/run.ts. */
import { findProgram } from './bundled.js';

await import(findProgram('cli/run'));
