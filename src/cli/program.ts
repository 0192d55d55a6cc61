import { Command, CommanderError } from 'commander';
import { packageVersion } from '../core/version/package-version.js';
import { registerBackup } from './backup/backup.command.js';
import { Cli, type CliIo, type RegisterCommand, describeFailure } from './cli.js';
import { registerCompletion } from './completion.command.js';
import { registerDoctor } from './doctor.command.js';
import { registerJobs } from './jobs.command.js';
import {
  registerErrors,
  registerEvents,
  registerKeys,
  registerMail,
} from './maintenance.command.js';
import {
  registerDemoData,
  registerInitialSecrets,
  registerMigrate,
  registerSetup,
} from './setup.command.js';
import { registerSettings } from './settings.command.js';
import { registerMoves, registerStorage } from './storage.command.js';
import { registerSupportBundle } from './support-bundle.command.js';
import { registerToken, registerUser } from './user.command.js';

/** Every command, in the order in which the help lists them. */
const COMMANDS: readonly RegisterCommand[] = [
  registerSetup,
  registerInitialSecrets,
  registerDemoData,
  registerMigrate,
  registerUser,
  registerToken,
  registerMoves,
  registerStorage,
  registerSettings,
  registerMail,
  registerKeys,
  registerEvents,
  registerErrors,
  registerJobs,
  registerBackup,
  registerDoctor,
  registerSupportBundle,
  registerCompletion,
];

const CONVENTIONS = `
Commands use the environment of the web process (DATABASE_URL, REDIS_URL, STORAGES, SECRET_KEY).
While "npm start" runs, they find its servers through DATA_DIR without any variable.
Exit codes: 0 success, 1 failure, 2 usage error.

Examples:
  $ guildhall doctor
  $ guildhall user unlock alice
  $ guildhall backup create --store /mnt/backups --passphrase-file /run/secrets/backup`;

const FAILURE = 1;
const USAGE_ERROR = 2;

/**
 * Runs one command line (without `node` and the script) and returns its exit code: 0, 1 for a
 * failure, with one line on standard error, or 2 for a usage error.
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  const cli = new Cli(io);
  const program = buildProgram(cli);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Its message, or the requested help, is printed already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    cli.printError(describeFailure(error));
    return FAILURE;
  }
}

/** Returns what commander reports, on one line. */
function usageErrorOf(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
}

function buildProgram(cli: Cli): Command {
  const program = new Command('guildhall')
    .description('Administers an instance directly on its database.')
    .version(packageVersion())
    .option('--json', 'print results and errors as JSON')
    .on('option:json', () => (cli.json = true))
    .addHelpText('after', CONVENTIONS)
    .exitOverride()
    .configureOutput({
      writeOut: cli.io.stdout,
      writeErr: cli.io.stderr,
      outputError: (text) => cli.printError(usageErrorOf(text)),
    });
  for (const register of COMMANDS) register(program, cli);
  return program;
}
