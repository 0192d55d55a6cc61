import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { accessLevelSql } from '../members/sql/access.js';
import { VISIBILITY } from '../members/visibility.js';
import type { ListAllSnippetsDto } from './dto/list-snippets.dto.js';
import { visibleSnippetSql } from './snippet-access.js';
import {
  SNIPPET_COLUMNS,
  SNIPPET_TABLES,
  type FoundSnippet,
  type SnippetRow,
} from './snippet-row.js';

/** Which snippets a listing is about, before visibility. */
export type SnippetSelection = 'own' | 'public' | 'all' | { projectId: number };

/** Reads snippets as their asker may see them; visibility is part of each statement. */
@Injectable()
export class SnippetsFinder {
  constructor(private readonly sql: Sql) {}

  /** Newest first. `repository_storage` counts for administrators only. */
  list(
    viewer: Viewer | null,
    selection: SnippetSelection,
    { filters, paging }: { filters: ListAllSnippetsDto; paging: Paging },
  ): Promise<Page<SnippetRow>> {
    const conditions = new Conditions();
    conditions.and(visibleSnippetSql(conditions, viewer));
    select(conditions, selection, viewer);
    filter(conditions, filters, viewer);
    return this.sql.page<SnippetRow>(
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

  /** One snippet, of the project if one is given; 404 also for what the asker may not see. */
  async find(viewer: Viewer | null, id: number, projectId?: number): Promise<FoundSnippet> {
    const conditions = new Conditions();
    conditions.and(`s.id = ${conditions.value(id)}`);
    if (projectId !== undefined) conditions.and(`s.project_id = ${conditions.value(projectId)}`);
    conditions.and(visibleSnippetSql(conditions, viewer));
    const level = viewer === null ? '0' : accessLevelSql(conditions.value(viewer.id), 'n', 'p.id');
    const row = await this.sql.row<FoundSnippet>(
      `SELECT ${SNIPPET_COLUMNS}, ${level} AS "accessLevel"
       FROM ${SNIPPET_TABLES} WHERE ${conditions.toString()}`,
      conditions.values,
    );
    if (row === null) throw new NotFoundError('Snippet');
    return row;
  }
}

function select(conditions: Conditions, selection: SnippetSelection, viewer: Viewer | null): void {
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
