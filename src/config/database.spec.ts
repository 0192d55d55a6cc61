import { describe, expect, it } from '@jest/globals';
import { readDatabase } from './database.js';
import { EnvReader, type Environment } from './env-reader.js';

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
