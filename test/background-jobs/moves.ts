import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import type { TestApp } from '../support/app.js';
import { unique, type MadeUser } from '../support/factories.js';

type Database = Pick<TestApp, 'dataSource'>;

export interface MoveOptions {
  state: string;
  cancelledBy?: string;
  error?: string;
  /** Duration in seconds, after ten seconds of waiting. */
  seconds?: number;
}

/** Moves of the project in one statement; answers their ids. */
export async function insertProjectMoves(
  { dataSource }: Database,
  project: { id: number },
  moves: readonly MoveOptions[],
): Promise<number[]> {
  const rows = await dataSource.query<{ id: number }[]>(
    `INSERT INTO project_repository_storage_moves
       (project_id, source_storage_name, destination_storage_name, state, cancelled_by,
        error_message, created_at, started_at, finished_at)
     SELECT $1, 'default', 'storage2', move->>'state', move->>'cancelledBy', move->>'error',
            start - interval '10 seconds',
            CASE WHEN move->>'state' NOT IN ('initial', 'scheduled') THEN start END,
            CASE WHEN move->>'state' IN ('finished', 'failed', 'cleanup failed')
              THEN start + coalesce((move->>'seconds')::int, 1) * interval '1 second' END
     FROM jsonb_array_elements($2::jsonb) move, (SELECT now() - interval '1 hour' AS start) times
     RETURNING id`,
    [project.id, JSON.stringify(moves)],
  );
  return rows.map(({ id }) => Number(id));
}

/** A finished move of a new snippet. */
export async function insertSnippetMove(
  { dataSource }: Database,
  { author, projectId }: { author: MadeUser; projectId: number | null },
): Promise<{ snippetId: number; moveId: number }> {
  const inserted = await dataSource.manager.insert(Snippet, {
    authorId: author.id,
    projectId,
    title: unique('snippet'),
    repositoryStorage: 'default',
  });
  const { id: snippetId } = inserted.identifiers[0] as { id: number };
  const [row] = await dataSource.query<{ id: number }[]>(
    `INSERT INTO snippet_repository_storage_moves
       (snippet_id, source_storage_name, destination_storage_name, state)
     VALUES ($1, 'default', 'storage2', 'finished') RETURNING id`,
    [snippetId],
  );
  return { snippetId, moveId: Number(row?.id) };
}
