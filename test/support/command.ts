import { spawn, type ChildProcess } from 'node:child_process';

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
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const code = await ended(child);
  return { code, ...output };
}

/** Resolves with the exit code once the process and its output have ended; null after a signal. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
