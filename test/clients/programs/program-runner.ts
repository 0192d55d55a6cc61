import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand, type CommandResult } from '../../support/command.js';

/** Runs programs in processes of their own: SDKs patch the process that they are in. */
export interface ProgramRunner {
  /** Runs a program to its end with the address of a project in DSN. */
  run(program: string, dsn: string): Promise<CommandResult>;
  /** The JSON that a program printed in the end; what it complained about when it failed. */
  result<T>(program: string, dsn: string): Promise<T>;
  close(): Promise<void>;
}

/** Programs lie outside the project, with its packages: as those of other people. */
export async function startPrograms(): Promise<ProgramRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  // Always the same: the name of a file is part of what tells errors apart.
  const file = join(folder, 'shop.mjs');
  const run = async (program: string, dsn: string): Promise<CommandResult> => {
    await writeFile(file, program);
    // Nothing else of the environment: SDKs obey proxies and their own variables in it.
    return runCommand(process.execPath, [file], { env: { DSN: dsn }, cwd: folder });
  };
  return {
    run,
    result: async <T>(program: string, dsn: string): Promise<T> => {
      const { code, stdout, stderr } = await run(program, dsn);
      if (code !== 0) throw new Error(`the program ended with ${code}: ${stderr}`);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
    },
    close: () => rm(folder, { recursive: true }),
  };
}
