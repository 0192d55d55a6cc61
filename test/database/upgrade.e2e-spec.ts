import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { MIGRATIONS } from '../../src/database/migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** What an installation of the first version holds, as that version wrote it. */
const EARLIER = `
  INSERT INTO users (id, username, name, email, admin, user_type) VALUES
    (1, 'ada', 'Ada', 'ada@example.com', true, 'human'),
    (2, 'robot', 'Robot', 'robot@example.com', true, 'project_bot');
  INSERT INTO namespaces (id, kind, owner_id, name, path, full_path, full_name, traversal_ids)
    VALUES (1, 'user', 1, 'Ada', 'ada', 'ada', 'Ada', '{1}');
  INSERT INTO projects (id, namespace_id, creator_id, name, path, visibility, repository_storage)
    VALUES (1, 1, 1, 'Notes', 'notes', 0, 'default');
  INSERT INTO snippets (id, project_id, author_id, title, visibility, repository_storage)
    VALUES (1, 1, 1, 'In a project', 0, 'default'), (2, NULL, 1, 'Personal', 0, 'default');
  INSERT INTO access_tokens (id, kind, digest, last_four, user_id, name, scopes)
    VALUES (1, 'personal', '\\x01', 'abcd', 1, 'old', '{api}');
  INSERT INTO audit_events (action, target_type, target_id, author_id) VALUES
    ('project_created', 'Project', 1, 1), ('storage_updated', 'storage', NULL, 1);
  INSERT INTO project_repository_storage_moves
    (project_id, state, source_storage_name, destination_storage_name, created_at)
    VALUES (1, 'finished', 'default', 'storage2', '2026-01-02'),
           (1, 'failed', 'default', 'storage2', '2026-01-04');
  INSERT INTO snippet_repository_storage_moves
    (snippet_id, state, source_storage_name, destination_storage_name, created_at)
    VALUES (1, 'finished', 'default', 'storage2', '2026-01-03'),
           (2, 'finished', 'default', 'storage2', '2026-01-01');`;

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { databaseUrl: database.url, poolSize: 1, statementTimeoutMs: 0 };
  dataSource = await new DataSource(dataSourceOptions(settings)).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

describe('an installation of the first version', () => {
  it('keeps what it has when it is upgraded, and again after going back', async () => {
    await goBackToFirst();
    await dataSource.query(EARLIER);
    for (const round of ['first', 'again']) {
      await dataSource.runMigrations({ transaction: 'each' });
      expect({ round, ...(await contents()) }).toEqual({ round, ...EXPECTED });
      await goBackToFirst();
    }
  });
});

async function goBackToFirst(): Promise<void> {
  for (let version = MIGRATIONS.length; version > 1; version -= 1) {
    await dataSource.undoLastMigration({ transaction: 'each' });
  }
}

const EXPECTED = {
  // Bots are no administrators, whatever an earlier version let them become.
  admins: [{ username: 'ada' }],
  tokens: [{ name: 'old', family_id: null, project_id: null }],
  audit: [
    { action: 'project_created', entity_type: 'Project', entity_id: 1 },
    { action: 'storage_updated', entity_type: 'Instance', entity_id: null },
  ],
  // In the order in which they were asked for; a personal snippet's belongs to no project.
  jobs: [
    { kind: 'project_move', subject_id: 1 },
    { kind: 'snippet_move', subject_id: 1 },
    { kind: 'project_move', subject_id: 2 },
  ],
};

async function contents(): Promise<Record<keyof typeof EXPECTED, unknown>> {
  const rows = (text: string): Promise<unknown> => dataSource.query(text);
  return {
    admins: await rows('SELECT username FROM users WHERE admin'),
    tokens: await rows('SELECT name, family_id, project_id FROM access_tokens'),
    audit: await rows('SELECT action, entity_type, entity_id FROM audit_events ORDER BY id'),
    jobs: await rows(
      'SELECT kind, subject_id FROM background_jobs WHERE project_id = 1 ORDER BY id',
    ),
  };
}
