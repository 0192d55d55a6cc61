import { type ChildProcess, spawn } from 'node:child_process';
import { ended } from '../../support/command.js';

interface ServerOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a server until `use` has ended. Throws its error output if it ends before. */
export async function whileRunning(
  [program, ...args]: [program: string, ...args: string[]],
  options: ServerOptions,
  use: () => Promise<void>,
): Promise<void> {
  const child: ChildProcess = spawn(program, args, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const end = ended(child);
  const early = end.then((code) => {
    throw new Error(`${program} ended by itself with ${code}: ${stderr}`);
  });
  try {
    await Promise.race([use(), early]);
  } finally {
    child.kill();
    await end;
  }
}
