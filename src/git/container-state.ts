import type { Sql } from '../core/sql/sql.service.js';
import type { ContainerKind } from './repository-path.js';

/** What decides where and whether a container's repositories may be written. */
export interface ContainerState {
  storage: string;
  readOnly: boolean;
}

const TABLES: Record<ContainerKind, string> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'groups',
};

/** Read anew each time: a move changes both at any moment. null when the container is gone. */
export function readContainerState(
  sql: Sql,
  kind: ContainerKind,
  id: number,
): Promise<ContainerState | null> {
  return sql.row<ContainerState>(
    `SELECT repository_storage AS storage, repository_read_only AS "readOnly"
     FROM ${TABLES[kind]} WHERE id = $1`,
    [id],
  );
}
