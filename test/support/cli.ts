import { runCli } from '../../src/cli/program.js';
import type { CommandResult } from './command.js';
import type { TestEnvironment } from './config.js';

interface CliOptions {
  env: TestEnvironment;
  stdin?: string;
}

/** Runs one command line of `guildhall` inside this process and collects what it says. */
export async function runGuildhall(
  args: readonly string[],
  { env, stdin = '' }: CliOptions,
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const code = await runCli(args, {
    env,
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
    readStdin: () => Promise.resolve(stdin),
    isTerminal: false,
  });
  return { code, ...output };
}

/** The environment in which a command line works on the given database and folder. */
export function cliEnvironment(
  database: { name: string; url: string },
  dataDir: string,
  env: TestEnvironment = {},
): TestEnvironment {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
    QUEUE_PREFIX: database.name,
    DATA_DIR: dataDir,
    SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
    BASE_URL: 'https://guild.example.com',
    ...env,
  };
}
