/** What the ORM's own command line reads; the service builds the same in src/app.ts. */
import { loadConfig } from './src/config/loadConfig.js';
import { ormOptions } from './src/database/connect.js';

export default ormOptions(loadConfig(process.env).databaseUrl ?? 'postgresql://gatehouse@127.0.0.1:5432/gatehouse');
