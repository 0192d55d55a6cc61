import { spawnSync } from 'node:child_process';

/** One of both runs the tests. */
export const REDIS_PROGRAM =
  spawnSync('redis-server', ['--version']).status === 0 ? 'redis-server' : 'valkey-server';
