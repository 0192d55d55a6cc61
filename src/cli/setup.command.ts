import type { INestApplicationContext } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import type { Cli, RegisterCommand } from './cli.js';
import { createDemoData } from './demo-data.js';
import { describeFailure } from './failure.js';
import { createRoot, isEmpty } from './first-start.js';
import { runMigrations, withSetupLock } from './migrations.js';

/** What `guildhall setup` prints; secrets only when it has just made them. */
interface SetupJson {
  baseUrl: string;
  username: string | null;
  password?: string;
  token?: string;
}

/** `guildhall setup`: makes a database ready for use, however it was before. */
export const registerSetup: RegisterCommand = (program, cli) => {
  program
    .command('setup')
    .description('migrate; on an empty database create the first administrator (prints JSON)')
    .action(async () => {
      const result = await withSetupLock(cli.config, async () => {
        await runMigrations(cli.config);
        return cli.withApp((app) => prepare(app, cli));
      });
      cli.print(result, JSON.stringify(result));
    });
};

async function prepare(app: INestApplicationContext, cli: Cli): Promise<SetupJson> {
  const { baseUrl, demoData } = cli.config;
  if (!(await isEmpty(app))) return { baseUrl, username: await firstAdministrator(app) };
  const { root, ...secrets } = await createRoot(app, cli.config);
  if (demoData) await tryDemoData(app, cli, root.id);
  return { baseUrl, username: root.username, ...secrets };
}

/** Without the examples the installation is complete, and the secrets above are shown only once. */
async function tryDemoData(app: INestApplicationContext, cli: Cli, rootId: number): Promise<void> {
  try {
    await createDemoData(app, rootId);
  } catch (error) {
    cli.io.stderr(`guildhall: the demo data is incomplete: ${describeFailure(error)}\n`);
  }
}

async function firstAdministrator(app: INestApplicationContext): Promise<string | null> {
  const row = await app
    .get(Sql)
    .row<{ username: string }>('SELECT username FROM users WHERE admin ORDER BY id LIMIT 1');
  return row?.username ?? null;
}
