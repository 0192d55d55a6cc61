import { spawn, type ChildProcess } from 'node:child_process';
import { redisEnvironment, redisProgram } from '../../deploy/local/redis-program.js';

/**
 * Starts a Redis or Valkey server of a test, with the program that the other servers of tests have;
 * `wrapper` is a command that runs it, as in a network namespace.
 */
export function startRedisServer(
  args: readonly string[],
  cwd?: string,
  wrapper: readonly string[] = [],
): ChildProcess {
  const program = redisProgram();
  const [command = '', ...rest] = [...wrapper, program.command, ...args];
  return spawn(command, rest, { cwd, stdio: 'ignore', env: redisEnvironment(program) });
}
