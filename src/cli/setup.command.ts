import type { INestApplicationContext } from '@nestjs/common';
import type { Cli, RegisterCommand } from './cli.js';
import { CliRepository } from './cli.repository.js';
import { createDemoData } from './demo-data.js';
import { describeFailure } from './failure.js';
import { createRoot } from './first-start.js';
import { runMigrations, withSetupLock } from './migrations.js';

/** Output of `guildhall setup`; includes secrets only if it has just created them. */
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
  const users = app.get(CliRepository);
  if (await users.exists()) {
    return { baseUrl, username: await users.findFirstAdministrator() };
  }
  const { root, ...secrets } = await createRoot(app, cli.config);
  if (demoData) await tryDemoData(app, cli, root.id);
  return { baseUrl, username: root.username, ...secrets };
}

/** Without the examples the instance is complete, and the secrets above are shown only once. */
async function tryDemoData(app: INestApplicationContext, cli: Cli, rootId: number): Promise<void> {
  try {
    await createDemoData(app, rootId);
  } catch (error) {
    cli.io.stderr(`guildhall: the demo data is incomplete: ${describeFailure(error)}\n`);
  }
}
