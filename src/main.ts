/** npm start: settings, everything built, listening, and a clean end on a signal. */
import { startApp } from './app.js';
import { loadConfig } from './config.js';
import { welcome } from './dev/development.js';
import { EmbeddedPostgresError } from './dev/embeddedPostgresError.js';
import { OperatorError } from './errors.js';

const tell = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function run(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.adminAuth === 'none') tell('ADMIN_AUTH=none: no caller of the administration is asked who it is.');
  if (!config.databaseUrl)
    tell(`DATABASE_URL is not set: the embedded PostgreSQL keeps its data under ${config.dataDir}.`);
  if (!config.idTokenIssuers) tell('ID_TOKEN_ISSUERS is not set: a development identity provider signs in anybody.');
  const app = await startApp({ config, notice: tell });
  let closing = false;
  const stop = (): void => {
    if (closing) return;
    closing = true;
    app.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.write(await welcome(app));
}

function fail(error: unknown): never {
  const isExpected = error instanceof OperatorError || error instanceof EmbeddedPostgresError;
  tell(isExpected ? error.message : String((error as Error).stack ?? error));
  process.exit(1);
}

run().catch(fail);
