import { spawn, type ChildProcess } from 'node:child_process';
import { redisEnvironment, redisProgram } from '../../deploy/local/redis-program.js';

/** Starts a Redis or Valkey server of a test, with the program that the other servers of tests have. */
export function startRedisServer(args: readonly string[], cwd?: string): ChildProcess {
  const program = redisProgram();
  return spawn(program.command, args, { cwd, stdio: 'ignore', env: redisEnvironment(program) });
}
