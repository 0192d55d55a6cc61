import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/database.module.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createTestDatabase();
  const settings = { databaseUrl: database.url, poolSize: 1, statementTimeoutMs: 0 };
  dataSource = await new DataSource(dataSourceOptions(settings)).initialize();
  await dataSource.query(
    `INSERT INTO users (username, name, email) VALUES ('ada', 'Ada', 'ada@example.com')`,
  );
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function undo(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await dataSource.undoLastMigration({ transaction: 'each' });
  }
}

describe('migrations', () => {
  it('keep the rows of an instance from before the baseline', async () => {
    await undo(dataSource.migrations.length - 1);
    await dataSource.query(
      `UPDATE schema_migrations SET timestamp = 1795811600000, name = 'AlertEmailDigests1795811600000'`,
    );
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    expect(applied[0]?.name).toBe('Baseline1795900000000');
    expect(applied).toHaveLength(dataSource.migrations.length);
    expect(await dataSource.query('SELECT username FROM users')).toEqual([{ username: 'ada' }]);
  });

  it('are applied again after all were reverted', async () => {
    await undo(dataSource.migrations.length);
    expect(await dataSource.query(`SELECT to_regclass('users') AS found`)).toEqual([
      { found: null },
    ]);
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await dataSource.query('SELECT username FROM users')).toEqual([]);
  });
});
