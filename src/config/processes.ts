import { availableParallelism } from 'node:os';
import type { EnvReader } from './env-reader.js';

/** Numbers of processes on this machine, and what each of them takes. */
export interface ProcessesConfig {
  /** Processes that share the port of the web role. */
  readonly webProcesses: number;
  readonly workerProcesses: number;
  /** Connections of all web processes together, and of all workers. */
  readonly databasePoolSize: number;
  readonly workerConcurrency: number;
  /** Port of the worker's /-/liveness and /-/metrics; undefined: none. */
  readonly workerPort?: number;
}

/** A process that writes alerts and errors holds four, and background work can hold two at a time. */
const LEAST_CONNECTIONS = 5;

/** Returns the connections of each of `size` processes that share DATABASE_POOL_SIZE. */
export function connectionsOf(
  { databasePoolSize }: Pick<ProcessesConfig, 'databasePoolSize'>,
  size: number,
): number {
  const least = Math.min(databasePoolSize, LEAST_CONNECTIONS);
  return Math.max(Math.ceil(databasePoolSize / size), least);
}

const MAX_DEFAULT_WEB_PROCESSES = 4;
const MAX_PROCESSES = 32;

/** Reads WEB_PROCESSES, WORKER_…, and DATABASE_POOL_SIZE; one web process per core, at most four. */
export function readProcesses(reader: EnvReader): ProcessesConfig {
  const range = { min: 1, max: MAX_PROCESSES };
  const cores = Math.min(availableParallelism(), MAX_DEFAULT_WEB_PROCESSES);
  return {
    webProcesses: reader.integer('WEB_PROCESSES', { fallback: cores, ...range }),
    workerProcesses: reader.integer('WORKER_PROCESSES', { fallback: 1, ...range }),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 200 }),
    workerConcurrency: reader.integer('WORKER_CONCURRENCY', { fallback: 4, min: 1, max: 64 }),
    ...(reader.text('WORKER_PORT') !== undefined && {
      workerPort: reader.integer('WORKER_PORT', { fallback: 0, min: 0, max: 65_535 }),
    }),
  };
}
