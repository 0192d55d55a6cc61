import { spawn } from 'node:child_process';

/** Exit code of a program without input or output; null when a signal ended it. Rejects when there is none. */
export function exitCode(program: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore' });
    child.once('error', reject);
    child.once('close', resolve);
  });
}
