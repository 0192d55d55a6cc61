import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { EnvReader } from './env-reader.js';
import { readProcesses } from './processes.js';

describe('readProcesses', () => {
  it('takes one web process per core, at most four, and one worker', () => {
    expect(readProcesses(new EnvReader({}))).toEqual({
      webProcesses: Math.min(availableParallelism(), 4),
      workerProcesses: 1,
      databasePoolSize: 10,
      workerConcurrency: 4,
    });
  });

  it('reads every variable', () => {
    const env = {
      WEB_PROCESSES: '8',
      WORKER_PROCESSES: '2',
      DATABASE_POOL_SIZE: '20',
      WORKER_CONCURRENCY: '6',
      WORKER_PORT: '3001',
    };
    expect(readProcesses(new EnvReader(env))).toEqual({
      webProcesses: 8,
      workerProcesses: 2,
      databasePoolSize: 20,
      workerConcurrency: 6,
      workerPort: 3001,
    });
  });

  it('names what is out of range', () => {
    const reader = new EnvReader({ WEB_PROCESSES: '0', WORKER_PROCESSES: 'auto' });
    readProcesses(reader);
    expect(reader.errors).toEqual([
      'WEB_PROCESSES must be an integer from 1 to 32',
      'WORKER_PROCESSES must be an integer from 1 to 32',
    ]);
  });
});
