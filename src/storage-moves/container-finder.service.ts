import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import { parseIdOrPath, parseIntegerId } from '../core/params/ids.js';
import { Sql } from '../core/sql/sql.service.js';
import { MOVE_KIND_DESCRIPTIONS } from './move-kinds.js';
import type { MoveKind } from './move-states.js';

const BY_PATH: Record<'project' | 'group', string> = {
  project: `SELECT c.id FROM projects c JOIN namespaces n ON n.id = c.namespace_id
    WHERE lower(n.full_path) = lower($1) AND lower(c.path) = lower($2) AND NOT c.pending_delete`,
  group: `SELECT c.id FROM groups c JOIN namespaces n ON n.id = c.id
    WHERE lower(n.full_path) = lower($1) AND NOT c.pending_delete`,
};

/** Finds what an administrator names in a path; without regard to visibility. */
@Injectable()
export class ContainerFinder {
  constructor(private readonly sql: Sql) {}

  /**
   * The container's id. Projects and groups are named by id or full path, snippets by id only.
   * Throws NotFoundError, InvalidParamsError for a snippet that is named by a text.
   */
  async find(kind: MoveKind, raw: string): Promise<number> {
    const { noun, containerTable, isAlive } = MOVE_KIND_DESCRIPTIONS[kind];
    const named = kind === 'snippet' ? { id: parseIntegerId(raw, 'id') } : parseIdOrPath(raw);
    const row =
      'id' in named
        ? await this.sql.row<{ id: number }>(
            `SELECT c.id FROM ${containerTable} c WHERE c.id = $1 AND ${isAlive}`,
            [named.id],
          )
        : await this.byPath(kind, named.path);
    if (row === null) throw new NotFoundError(noun);
    return row.id;
  }

  private byPath(kind: MoveKind, path: string): Promise<{ id: number } | null> {
    if (kind === 'group') return this.sql.row(BY_PATH.group, [path]);
    const slash = path.lastIndexOf('/');
    return this.sql.row(BY_PATH.project, [
      path.slice(0, Math.max(slash, 0)),
      path.slice(slash + 1),
    ]);
  }
}
