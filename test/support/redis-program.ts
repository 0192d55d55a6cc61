import { spawnSync } from 'node:child_process';

/** The tests run with either program. */
export const REDIS_PROGRAM =
  spawnSync('redis-server', ['--version']).status === 0 ? 'redis-server' : 'valkey-server';
