import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkProcess } from '../../src/git/fork-process.js';

/** Exit and output of a command. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Runs a program to its end; never throws for an exit code. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { env = process.env, cwd }: CommandOptions = {},
): Promise<CommandResult> {
  const child = await forkProcess({ program: command, args, env, cwd });
  child.stdin.end();
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Resolves with the exit code once the process and its output have ended; null after a signal. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
