import { describe, expect, it } from '@jest/globals';
import { EnvReader, type Environment } from './env-reader.js';
import { readDatabase, readIsTraced } from './services.js';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

describe('readIsTraced', () => {
  it('is false without an address', () => {
    expect(readIsTraced(new EnvReader({}))).toBe(false);
  });

  it.each(ENDPOINTS)('is true with %s, which must be a URL of HTTP', (name) => {
    expect(readIsTraced(new EnvReader({ [name]: 'http://collector:4318' }))).toBe(true);
    const reader = new EnvReader({ [name]: 'collector:4318' });
    readIsTraced(reader);
    expect(reader.errors).toEqual([`${name} must be a URL that starts with http:// or https://`]);
  });
});

const PRIMARY = { DATABASE_URL: 'postgres://u:p@db/guildhall' };
const BOTH = { ...PRIMARY, DATABASE_REPLICA_URL: 'postgres://u:p@replica/guildhall' };

function errorsOf(env: Environment): string[] {
  const reader = new EnvReader(env);
  readDatabase(reader);
  return reader.errors;
}

describe('readDatabase', () => {
  it('takes a replica, or none', () => {
    expect(readDatabase(new EnvReader(PRIMARY))).toEqual({ databaseUrl: PRIMARY.DATABASE_URL });
    expect(readDatabase(new EnvReader(BOTH))).toEqual({
      databaseUrl: BOTH.DATABASE_URL,
      databaseReplicaUrl: BOTH.DATABASE_REPLICA_URL,
    });
  });

  it('refuses a replica without Redis, and another kind of URL', () => {
    expect(errorsOf({ ...BOTH, REDIS_URL: 'none' })).toEqual([
      'DATABASE_REPLICA_URL requires REDIS_URL to name a Redis',
    ]);
    expect(errorsOf({ ...PRIMARY, DATABASE_REPLICA_URL: 'mysql://u:p@replica/db' })).toEqual([
      'DATABASE_REPLICA_URL must be a URL that starts with postgres:// or postgresql://',
    ]);
  });
});
