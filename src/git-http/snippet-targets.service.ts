import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { accessLevelSql } from '../members/member-access.service.js';
import { mayChange, visibleSnippetSql } from '../snippets/snippet-access.js';
import { SNIPPET_TABLES } from '../snippets/snippet-row.js';
import { type GitTarget, moved } from './git-target.js';
import { ProjectRows } from './project-rows.js';

interface SnippetRow {
  id: number;
  authorId: number;
  storage: string;
  readOnly: boolean;
  projectId: number | null;
  projectFullPath: string | null;
  projectArchived: boolean | null;
  accessLevel: number;
}

const COLUMNS = `
  s.id, s.author_id AS "authorId", s.repository_storage AS storage,
  s.repository_read_only AS "readOnly", s.project_id AS "projectId",
  n.full_path || '/' || p.path AS "projectFullPath", p.archived AS "projectArchived"`;

/** Finds the repositories of snippets; who sees and changes a snippet is decided in `snippets/`. */
@Injectable()
export class SnippetTargets {
  constructor(
    private readonly projects: ProjectRows,
    private readonly sql: Sql,
  ) {}

  /** The snippet of the project at `projectPath` (null = personal) if the asker may see it. */
  async find(
    id: number,
    projectPath: string | null,
    viewer: Viewer | null,
  ): Promise<GitTarget | null> {
    const snippet = await this.visible(id, viewer);
    if (snippet === null || !(await this.isAt(projectPath, snippet, viewer))) return null;
    const canPush = viewer !== null && mayChange(snippet, viewer);
    const { projectFullPath } = snippet;
    return {
      kind: 'snippet',
      containerId: snippet.id,
      storage: snippet.storage,
      readOnly: snippet.readOnly,
      archived: snippet.projectArchived ?? false,
      defaultBranch: null,
      access: { visible: true, canRead: true, canPush, canPushProtected: canPush },
      moved:
        projectPath === null
          ? null
          : moved(`${projectPath}/snippets/${id}`, `${projectFullPath}/snippets/${id}`),
    };
  }

  private visible(id: number, viewer: Viewer | null): Promise<SnippetRow | null> {
    const conditions = new Conditions();
    conditions.and(`s.id = ${conditions.value(id)}`);
    conditions.and(visibleSnippetSql(conditions, viewer));
    const level = viewer === null ? '0' : accessLevelSql(conditions.value(viewer.id), 'n', 'p.id');
    return this.sql.row<SnippetRow>(
      `SELECT ${COLUMNS}, ${level} AS "accessLevel"
       FROM ${SNIPPET_TABLES} WHERE ${conditions.toString()}`,
      conditions.values,
    );
  }

  /** Whether that path is or was the address of the snippet's project. */
  private async isAt(
    path: string | null,
    { projectId, projectFullPath }: SnippetRow,
    viewer: Viewer | null,
  ): Promise<boolean> {
    if (path === null || projectFullPath === null) return path === projectFullPath;
    if (path.toLowerCase() === projectFullPath.toLowerCase()) return true;
    const project = await this.projects.byPath(path, viewer?.id ?? null);
    return project?.id === projectId;
  }
}
