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

async function makeProjectRow(): Promise<void> {
  await dataSource.query(`
    WITH owner AS (
      INSERT INTO namespaces (kind, name, path, full_path, full_name)
      VALUES ('group', 'Acme', 'acme', 'acme', 'Acme') RETURNING id
    )
    INSERT INTO projects (namespace_id, name, path, repository_storage)
    SELECT id, 'Shop', 'shop', 'default' FROM owner`);
}

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

  it('make the errors of an older schema findable', async () => {
    const makeErrors = (texts: string[]) =>
      dataSource.query(
        `INSERT INTO errors (project_id, culprit, platform, level, first_seen_at, last_seen_at,
           events_count, search_text, sampled_day, sampled_count)
         SELECT id, '', 'node', 4, now(), now(), 1, unnest($1::text[]), current_date, 1 FROM projects`,
        [texts],
      );
    await makeProjectRow();
    const isApplied = dataSource.migrations.findIndex(({ name }) => name?.startsWith('ErrorTexts'));
    await undo(dataSource.migrations.length - isApplied);
    await makeErrors(['cart', 'till']);
    await dataSource.runMigrations({ transaction: 'each' });
    await makeErrors(['shelf']);
    await dataSource.query(`UPDATE errors SET search_text = 'door' WHERE search_text = 'till'`);

    const texts: { text: string }[] = await dataSource.query(
      'SELECT text FROM error_texts ORDER BY error_id',
    );
    expect(texts.map(({ text }) => text)).toEqual(['cart', 'door', 'shelf']);
  });
});
