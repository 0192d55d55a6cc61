import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from './database.js';

async function rows(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the database of a test file', () => {
  it('is migrated, empty and its own', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await rows(first.url, 'CREATE TABLE only_here (id int)');

    expect(first.name).not.toBe(second.name);
    expect(await rows(second.url, "SELECT to_regclass('only_here') AS found")).toEqual([
      { found: null },
    ]);
    expect(await rows(second.url, 'SELECT count(*)::int AS n FROM users')).toEqual([{ n: 0 }]);
    await Promise.all([first.drop(), second.drop()]);
  });

  it('is dropped although a connection was left open', async () => {
    const database = await createTestDatabase();
    const left = new pg.Client({ connectionString: database.url });
    left.on('error', () => undefined);
    await left.connect();

    await database.drop();

    await expect(rows(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
