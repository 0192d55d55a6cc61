import type { EnvReader } from './env-reader.js';

/** Addresses of PostgreSQL. */
export interface DatabaseConfig {
  readonly databaseUrl: string;
  /** Streaming replica that answers reads of requests; undefined: there is none. */
  readonly databaseReplicaUrl?: string;
}

const PROTOCOLS = ['postgres:', 'postgresql:'];

/** Reads DATABASE_URL and DATABASE_REPLICA_URL. */
export function readDatabase(reader: EnvReader): DatabaseConfig {
  const databaseUrl = reader.requiredUrl('DATABASE_URL', PROTOCOLS);
  const name = 'DATABASE_REPLICA_URL';
  const databaseReplicaUrl = reader.url(name, PROTOCOLS, reader.secret(name));
  if (databaseReplicaUrl === undefined) return { databaseUrl };
  // In Redis the processes tell each other who has written.
  if (reader.text('REDIS_URL') === 'none')
    reader.addError(name, 'requires REDIS_URL to name a Redis');
  return { databaseUrl, databaseReplicaUrl };
}
