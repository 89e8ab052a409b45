/** npm start: refuses a Node version that is too old, before loading anything else. */
import { nodeFault } from './config/nodeVersion.js';

const fault = nodeFault();
if (fault) {
  // in production each line of output is a log line
  const line = { level: 60, time: new Date().toISOString(), msg: fault };
  process.stderr.write(`${process.env.NODE_ENV === 'production' ? JSON.stringify(line) : fault}\n`);
  process.exitCode = 1;
} else {
  const { findProgram } = await import('./bundled.js');
  await import(findProgram('serve'));
}
