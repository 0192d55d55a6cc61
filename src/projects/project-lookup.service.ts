import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { IdOrPath } from '../core/params/ids.js';
import { Sql } from '../core/sql/sql.service.js';
import {
  countColumns,
  PROJECT_COLUMNS,
  PROJECT_FROM,
  projectJoins,
  type CountedProjectRow,
  type ProjectRow,
} from './project-row.js';

/** A project and whether it was found by a path that it no longer has. */
export interface FoundProject {
  project: ProjectRow;
  moved: boolean;
}

const SELECT = `SELECT ${PROJECT_COLUMNS} FROM ${PROJECT_FROM} ${projectJoins('$1::bigint')}
  WHERE NOT p.pending_delete AND `;

type Counts = Omit<CountedProjectRow, keyof ProjectRow>;
const COUNTS = `SELECT ${countColumns({ id: '$1::bigint', namespaceId: '$2::bigint' })}`;

const BY_PATH = `p.namespace_id = (SELECT id FROM namespaces WHERE lower(full_path) = lower($2))
  AND lower(p.path) = lower($3)`;

/** Old paths: of the project itself, of its group, or of both one after the other. */
const REDIRECTED = `p.id = (
  WITH former AS (
    SELECT n.id, n.full_path FROM route_redirects r JOIN namespaces n ON n.id = r.namespace_id
    WHERE lower(r.path) = lower($2))
  SELECT project_id FROM route_redirects
    WHERE lower(path) = lower($2 || '/' || $3) AND project_id IS NOT NULL
  UNION ALL
  SELECT p.id FROM former JOIN projects p ON p.namespace_id = former.id AND lower(p.path) = lower($3)
  UNION ALL
  SELECT r.project_id FROM former
    JOIN route_redirects r ON lower(r.path) = lower(former.full_path || '/' || $3)
    WHERE r.project_id IS NOT NULL
  LIMIT 1)`;

/** Finds projects by id or full path; whether the viewer can see them is the caller's question. */
@Injectable()
export class ProjectLookup {
  constructor(private readonly sql: Sql) {}

  /** null when there is none; projects that are being deleted count as gone. */
  async find(wanted: IdOrPath, userId: number | null): Promise<FoundProject | null> {
    if ('id' in wanted) return found(await this.byId(wanted.id, userId), false);
    const slash = wanted.path.lastIndexOf('/');
    if (slash === -1) return null;
    const values = [userId, wanted.path.slice(0, slash), wanted.path.slice(slash + 1)];
    const project = await this.sql.row<ProjectRow>(SELECT + BY_PATH, values);
    if (project !== null) return { project, moved: false };
    return found(await this.sql.row<ProjectRow>(SELECT + REDIRECTED, values), true);
  }

  byId(id: number, userId: number | null): Promise<ProjectRow | null> {
    return this.sql.row<ProjectRow>(`${SELECT} p.id = $2`, [userId, id]);
  }

  /** As `byId`, counted; throws 404 when it is gone. */
  async get(id: number, userId: number | null): Promise<CountedProjectRow> {
    const project = await this.byId(id, userId);
    if (project === null) throw new NotFoundError('Project');
    return this.counted(project);
  }

  /** The project with what its full form shows beside the rest. */
  async counted(project: ProjectRow): Promise<CountedProjectRow> {
    const counts = await this.sql.row<Counts>(COUNTS, [project.id, project.namespaceId]);
    return Object.assign({ openIssuesCount: 0, groupsSendMails: true }, project, counts);
  }
}

function found(project: ProjectRow | null, moved: boolean): FoundProject | null {
  return project === null ? null : { project, moved };
}
