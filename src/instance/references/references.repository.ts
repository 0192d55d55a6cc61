import { Injectable } from '@nestjs/common';
import { mergeRequestVisibility } from '../../code/merge-requests/sql/merge-requests.js';
import type { Viewer } from '../../core/access/auth-context.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { Reference } from '../../core/ui/references/reference.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { visibleGroupSql } from '../../workspace/groups/sql/group-list.js';
import { abilitySql } from '../../workspace/issues/sql/issuable-conditions.js';
import { issueVisibility } from '../../workspace/issues/sql/issue-list.js';
import { visibleProjectSql } from '../../workspace/projects/sql/project-list.js';
import { visibleSnippetSql } from '../../workspace/snippets/snippets.repository.js';

/** Something that the viewer can see; of a commit only its project. */
export interface ReferenceRow {
  /** Position of the reference. */
  at: number;
  title: string;
  state: string | null;
  /** Full path of its project; null for users and groups. */
  project: string | null;
  /** Id of its project; null for users and groups. */
  projectId: number | null;
  /** Number of an issue, merge request, milestone or snippet. */
  number: number | null;
  /** Path of a user or group. */
  path: string | null;
}

const WANTED = `unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  AS w(at, kind, namespace, path, name, number)`;

const PROJECTS = `FROM ${WANTED} JOIN namespaces n ON lower(n.full_path) = w.namespace
  JOIN projects p ON p.namespace_id = n.id AND lower(p.path) = w.path`;

const columns = (title: string, state: string, number: string): string => `
  w.at, ${title} AS title, ${state}::text AS state, n.full_path || '/' || p.path AS project,
  p.id AS "projectId", ${number}::bigint AS number, NULL::text AS path`;

/** Looks up what texts refer to; visibility is inside the statement, as in the lists of each kind. */
@Injectable()
export class ReferencesRepository {
  constructor(private readonly sql: Sql) {}

  /** Returns what exists and the viewer can see, by one statement. */
  find(viewer: Viewer | null, references: readonly Reference[]): Promise<ReferenceRow[]> {
    const wanted = references.map(({ kind, project, name }, at) => {
      const path = project.toLowerCase();
      const slash = path.lastIndexOf('/');
      const digits = /^(?:iid:)?(\d{1,10})$/.exec(name)?.[1];
      const wantedName = kind === 'user' ? name.toLowerCase() : name;
      const place = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
      return [at, kind, ...place, wantedName, digits === undefined ? null : Number(digits)];
    });
    const values: unknown[] = [0, 1, 2, 3, 4, 5].map((at) => wanted.map((row) => row[at]));
    const parts = KINDS.map((statement) => statement(new Conditions(values), viewer));
    return this.sql.rows<ReferenceRow>(parts.join(' UNION ALL '), values);
  }
}

/** The statement of each kind; `conditions` collects the values of all. */
const KINDS: readonly ((conditions: Conditions, viewer: Viewer | null) => string)[] = [
  (conditions, viewer) => `SELECT ${columns('i.title', 'i.state', 'i.iid')} ${PROJECTS}
    JOIN issues i ON i.project_id = p.id AND i.iid = w.number
    WHERE w.kind = 'issue' AND ${issueVisibility(conditions, viewer).visible}`,

  (conditions, viewer) => `SELECT ${columns('r.title', 'r.state', 'r.iid')} ${PROJECTS}
    JOIN merge_requests r ON r.project_id = p.id AND r.iid = w.number
    WHERE w.kind = 'merge_request' AND ${mergeRequestVisibility(conditions, viewer).visible}`,

  (conditions, viewer) => `SELECT ${columns('s.title', 'NULL', 's.id')} ${PROJECTS}
    JOIN snippets s ON s.project_id = p.id AND s.id = w.number
    WHERE w.kind = 'snippet' AND ${visibleSnippetSql(conditions, viewer)}`,

  // A title can be a number as well; the milestone that is called so is meant.
  (conditions, viewer) => `SELECT ${columns('m.title', 'm.state', 'm.iid')} ${PROJECTS}
    JOIN LATERAL (SELECT m.title, m.state, m.iid FROM milestones m
      WHERE m.project_id = p.id AND (m.title = w.name OR m.iid = w.number)
      ORDER BY m.title = w.name DESC LIMIT 1) m ON true
    WHERE w.kind = 'milestone' AND NOT p.pending_delete
      AND (p.issues_enabled OR p.merge_requests_enabled)
      AND (${visibleProjectSql(viewer, me(conditions, viewer))})`,

  (conditions, viewer) => `SELECT ${columns(`''`, 'NULL', 'NULL')} ${PROJECTS}
    WHERE w.kind = 'commit' AND NOT p.pending_delete AND p.repository_enabled
      AND (${readableCodeSql(conditions, viewer)})`,

  (_, viewer) => `SELECT w.at, u.name, NULL, NULL, NULL, NULL, u.username
    FROM ${WANTED} JOIN users u ON lower(u.username) = w.name
    WHERE w.kind = 'user' AND ${viewer === null ? `u.state = 'active'` : 'true'}`,

  (
    conditions,
    viewer,
  ) => `SELECT w.at, n.full_name, NULL, NULL, NULL, NULL, 'groups/' || n.full_path
    FROM ${WANTED} JOIN namespaces n ON lower(n.full_path) = w.name JOIN groups g ON g.id = n.id
    WHERE w.kind = 'user' AND NOT g.pending_delete
      AND (${visibleGroupSql(viewer, me(conditions, viewer))})`,
];

function readableCodeSql(conditions: Conditions, viewer: Viewer | null): string {
  if (viewer?.admin === true) return 'true';
  if (viewer === null) return `p.visibility = ${VISIBILITY.public}`;
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  return `p.visibility >= ${open} OR ${abilitySql(conditions.value(viewer.id), 'read_code')}`;
}

function me(conditions: Conditions, viewer: Viewer | null): string {
  return viewer === null || viewer.admin ? 'NULL' : conditions.value(viewer.id);
}
