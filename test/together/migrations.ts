/** A migration that breaks off at any of its statements is finished by the next one, and nothing tells the difference. */
import { migrate } from '../../src/database/migrate.js';
import type { Trial } from '../failover/trial.js';
import { startProxy } from '../support/proxy.js';
import { fingerprint } from '../support/schema.js';
import { must, type Postgres, startPostgres } from './processes.js';

async function madeIn(postgres: Postgres, name: string): Promise<string> {
  const [row] = await postgres.ask<{ text: string }>(fingerprint, postgres.port, name);
  return row!.text;
}

/** Migrates through a proxy that cuts the connection after so many statements; undefined: none. */
async function migrateWithCut(
  url: string,
  after: number | undefined,
): Promise<{ statements: string[]; failed: boolean }> {
  const proxy = await startProxy(url);
  let count = 0;
  proxy.fault = () => {
    count += 1;
    return count === after ? 'cutAfter' : undefined;
  };
  const failed = await migrate(proxy.url, 5_000).then(
    () => false,
    () => true,
  );
  const statements = proxy.takeStatements();
  await proxy.close();
  return { statements, failed };
}

export async function tryMigrations(trial: Trial): Promise<string> {
  const postgres = await startPostgres(trial);
  const open = async (name: string): Promise<string> => {
    await postgres.ask(`create database ${name} owner gatehouse encoding 'UTF8' template template0`);
    return postgres.url.replace(/gatehouse$/, name);
  };
  const { statements } = await migrateWithCut(await open('whole'), undefined);
  const whole = await madeIn(postgres, 'whole');
  must('a migration makes something', statements.length > 50 && whole.length > 1_000, statements.length);
  let brokenOff = 0;
  for (let after = 1; after <= statements.length; after++) {
    const name = `cut${after}`;
    const url = await open(name);
    if ((await migrateWithCut(url, after)).failed) brokenOff += 1;
    await migrate(url, 5_000);
    must(`cut after ${statements[after - 1]!.slice(0, 100)}`, (await madeIn(postgres, name)) === whole);
    await postgres.ask(`drop database ${name}`);
  }
  must('most cuts broke it off', brokenOff > statements.length / 2, brokenOff);
  return `cut after each of ${statements.length} statements, ${brokenOff} broke off, and the next migration made the same of each`;
}
