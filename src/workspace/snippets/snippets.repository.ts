import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { authorizedProjectSql, accessLevelSql } from '../../identity/members/sql/access.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { User } from '../../identity/users/user.entity.js';
import type { ListAllSnippetsDto } from './snippet.dto.js';
import { Snippet } from './snippet.entity.js';

/** A snippet with its author and project, read in one statement. */
export interface SnippetRow {
  id: number;
  title: string;
  description: string | null;
  visibility: number;
  filePaths: string[];
  hasRepository: boolean;
  repositoryStorage: string;
  createdAt: Date;
  updatedAt: Date;
  authorId: number;
  authorUsername: string;
  authorName: string;
  authorState: User['state'];
  authorAvatar: string | null;
  projectId: number | null;
  projectFullPath: string | null;
  projectArchived: boolean | null;
}

/** A snippet and the viewer's effective level in its project (0 for personal snippets). */
export interface FoundSnippet extends SnippetRow {
  accessLevel: number;
}

export const SNIPPET_COLUMNS = `
  s.id, s.title, s.description, s.visibility, s.file_paths AS "filePaths",
  s.has_repository AS "hasRepository", s.repository_storage AS "repositoryStorage",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  u.id AS "authorId", u.username AS "authorUsername", u.name AS "authorName",
  u.state AS "authorState", u.avatar AS "authorAvatar",
  s.project_id AS "projectId", n.full_path || '/' || p.path AS "projectFullPath",
  p.archived AS "projectArchived"`;

export const SNIPPET_TABLES = `snippets s
  JOIN users u ON u.id = s.author_id
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN namespaces n ON n.id = p.namespace_id`;

const NEXT_ID_SQL = `SELECT nextval(pg_get_serial_sequence('snippets', 'id')) AS id`;

const HOLD_SQL = 'SELECT id FROM snippets WHERE id = $1 FOR KEY SHARE';

const LOCK_FOR_DELETION_SQL = `
  SELECT repository_read_only OR EXISTS (
    SELECT 1 FROM snippet_repository_storage_moves m WHERE m.snippet_id = s.id
      AND m.state IN ('initial', 'scheduled', 'started', 'replicated')) AS "isMoving"
  FROM snippets s WHERE id = $1 FOR UPDATE`;

/** The snippets of a list, before visibility. */
export type SnippetSelection =
  'own' | 'public' | 'all' | { projectId: number } | { ids: readonly number[] };

/** Owns every statement about snippets; visibility is part of lists and reads. */
@Injectable()
export class SnippetsRepository extends Repository<Snippet> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Snippet, dataSource.manager);
  }

  /** Returns one page, newest first. `repository_storage` applies to administrators only. */
  list(
    viewer: Viewer | null,
    selection: SnippetSelection,
    { filters, paging }: { filters: ListAllSnippetsDto; paging: Paging },
  ): Promise<Page<SnippetRow>> {
    const conditions = new Conditions();
    conditions.and(visibleSnippetSql(conditions, viewer));
    select(conditions, selection, viewer);
    filter(conditions, filters, viewer);
    return this.queries.page<SnippetRow>(
      {
        select: SNIPPET_COLUMNS,
        from: SNIPPET_TABLES,
        where: conditions.toString(),
        orderBy: 's.id DESC',
        values: conditions.values,
      },
      paging,
    );
  }

  /** Throws NotFoundError for a snippet that is unknown, hidden or of another project. */
  async findVisible(viewer: Viewer | null, id: number, projectId?: number): Promise<FoundSnippet> {
    const conditions = new Conditions();
    conditions.and(`s.id = ${conditions.value(id)}`);
    if (projectId !== undefined) conditions.and(`s.project_id = ${conditions.value(projectId)}`);
    conditions.and(visibleSnippetSql(conditions, viewer));
    const level = viewer === null ? '0' : accessLevelSql(conditions.value(viewer.id), 'n', 'p.id');
    const row = await this.queries.row<FoundSnippet>(
      `SELECT ${SNIPPET_COLUMNS}, ${level} AS "accessLevel"
       FROM ${SNIPPET_TABLES} WHERE ${conditions.toString()}`,
      conditions.values,
    );
    if (row === null) throw new NotFoundError('Snippet');
    return row;
  }

  /** Takes the id of a new snippet from the sequence. */
  async reserveId(): Promise<number> {
    const rows = await this.manager.query<{ id: number }[]>(NEXT_ID_SQL);
    return Number(rows[0]?.id);
  }

  /** Keeps a snippet from being deleted until the transaction ends; throws NotFoundError. */
  async hold(manager: EntityManager, id: number | null): Promise<void> {
    const rows = await manager.query<object[]>(HOLD_SQL, [id]);
    if (rows.length === 0) throw new NotFoundError('Snippet');
  }

  /** Locks a snippet and returns whether its repository is being moved; throws NotFoundError. */
  async lockForDeletion(manager: EntityManager, id: number): Promise<{ isMoving: boolean }> {
    const [row] = await manager.query<{ isMoving: boolean }[]>(LOCK_FOR_DELETION_SQL, [id]);
    if (row === undefined) throw new NotFoundError('Snippet');
    return row;
  }
}

function select(conditions: Conditions, selection: SnippetSelection, viewer: Viewer | null): void {
  if (typeof selection === 'object' && 'ids' in selection) {
    conditions.and(`s.id = ANY(${conditions.value(selection.ids)}::bigint[])`);
    return;
  }
  if (typeof selection === 'object') {
    conditions.and(`s.project_id = ${conditions.value(selection.projectId)}`);
    return;
  }
  if (selection === 'public') {
    conditions.and(`s.project_id IS NULL AND s.visibility = ${VISIBILITY.public}`);
  }
  if (selection === 'own') conditions.and(`s.author_id = ${conditions.value(viewer?.id ?? null)}`);
}

function filter(conditions: Conditions, filters: ListAllSnippetsDto, viewer: Viewer | null): void {
  const { created_after: after, created_before: before, repository_storage: storage } = filters;
  if (after) conditions.and(`s.created_at >= ${conditions.value(after)}`);
  if (before) conditions.and(`s.created_at <= ${conditions.value(before)}`);
  if (storage && viewer?.admin === true) {
    conditions.and(`s.repository_storage = ${conditions.value(storage)}`);
  }
}

/**
 * Returns SQL that is true for snippets visible to the viewer, over `SNIPPET_TABLES`.
 *
 * Personal snippets: by their visibility, and always for the author. Project snippets: those with
 * sufficient visibility for everyone who sees the project; all of them for members and (while they
 * see the project) the author; none when snippets are disabled. Administrators see everything
 * except what is being deleted.
 */
export function visibleSnippetSql(conditions: Conditions, viewer: Viewer | null): string {
  return `NOT s.pending_delete AND (${openSnippetSql(conditions, viewer)})`;
}

function openSnippetSql(conditions: Conditions, viewer: Viewer | null): string {
  if (viewer?.admin === true) return 's.project_id IS NULL OR NOT p.pending_delete';
  const open = openLevels(viewer);
  if (viewer === null) {
    return `s.visibility IN (${open}) AND (s.project_id IS NULL
      OR (p.visibility IN (${open}) AND p.snippets_enabled AND NOT p.pending_delete))`;
  }
  const me = conditions.value(viewer.id);
  return `CASE WHEN s.project_id IS NULL THEN s.visibility IN (${open}) OR s.author_id = ${me}
    ELSE NOT p.pending_delete AND p.snippets_enabled AND (
      (p.visibility IN (${open}) AND (s.visibility IN (${open}) OR s.author_id = ${me}))
      OR ${authorizedProjectSql(me, String(ROLES.guest))}) END`;
}

/** Returns the levels visible without any membership; external users see no internal ones. */
function openLevels(viewer: Viewer | null): string {
  const isInsider = viewer !== null && !viewer.external;
  return isInsider ? `${VISIBILITY.internal}, ${VISIBILITY.public}` : `${VISIBILITY.public}`;
}
