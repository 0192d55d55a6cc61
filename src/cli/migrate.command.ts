import type { RegisterCommand } from './cli.js';
import { runMigrations, withSetupLock } from './migrations.js';

/** `guildhall migrate`: brings the database's schema up to date. */
export const registerMigrate: RegisterCommand = (program, cli) => {
  program
    .command('migrate')
    .description("bring the database's schema up to date")
    .action(async () => {
      const applied = await withSetupLock(cli.config, () => runMigrations(cli.config));
      const text =
        applied.length === 0
          ? 'The database is up to date.'
          : applied.map((name) => `Applied ${name}`).join('\n');
      cli.print({ applied }, text);
    });
};
