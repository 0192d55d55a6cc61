import type { Viewer } from '../../../core/access/auth-context.js';
import type { Conditions } from '../../../core/sql/conditions.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../../identity/members/abilities.js';
import { ROLES } from '../../../identity/members/roles.js';
import { authorizedProjectSql } from '../../../identity/members/sql/access.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { visibleGroupSql } from '../../groups/sql/group-list.js';
import type { ListGroupLabelsDto } from '../label.dto.js';

/** The project or group that labels belong to. */
export type LabelOwner = { projectId: number } | { groupId: number };

/** The groups above a project, the group itself included. */
const GROUPS_OF_PROJECT = (project: string): string => `
  ARRAY(SELECT unnest(n.traversal_ids) FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    WHERE p.id = ${project})`;

const GROUPS_ABOVE = (group: string): string =>
  `ARRAY(SELECT unnest(n.traversal_ids) FROM namespaces n WHERE n.id = ${group})`;

/** Returns the condition on the owners of labels `l` that a list asks for. */
export function ownersSql(
  where: Conditions,
  owner: LabelOwner,
  { viewer = null, filters = {} }: { viewer?: Viewer | null; filters?: ListGroupLabelsDto } = {},
): string {
  const withAncestors = filters.include_ancestor_groups !== false;
  if ('projectId' in owner) {
    const project = where.value(owner.projectId);
    const own = `l.project_id = ${project}`;
    return withAncestors ? `${own} OR l.group_id = ANY(${GROUPS_OF_PROJECT(project)})` : own;
  }
  const group = where.value(owner.groupId);
  const isBelow = (namespace: string): string =>
    `${namespace} IN (SELECT below.id FROM namespaces below
      WHERE below.traversal_ids @> ARRAY[${group}::bigint])`;
  const groups = withAncestors
    ? `l.group_id = ANY(${GROUPS_ABOVE(group)})`
    : `l.group_id = ${group}`;
  const parts = [groups];
  if (filters.include_descendant_groups === true) {
    const isKnown = viewer !== null && !viewer.admin;
    const visible = visibleGroupSql(viewer, isKnown ? where.value(viewer.id) : '');
    parts.push(`l.group_id IN (SELECT g.id FROM groups g JOIN namespaces n ON n.id = g.id
      WHERE NOT g.pending_delete AND ${isBelow('g.id')} AND (${visible}))`);
  }
  if (filters.only_group_labels === false) {
    const projects =
      filters.include_descendant_groups === true
        ? isBelow('p.namespace_id')
        : `p.namespace_id = ${group}`;
    parts.push(`l.project_id IN (SELECT p.id FROM projects p
      WHERE ${projects} AND NOT p.pending_delete AND (${projectVisibility(where, viewer)}))`);
  }
  return parts.join(' OR ');
}

/** Returns the condition on projects `p` that the viewer can see. */
function projectVisibility(where: Conditions, viewer: Viewer | null): string {
  return readable(where, viewer, 'read_project');
}

/**
 * Returns the statement that counts issues and merge requests by label, as the viewer sees them; the
 * names of the labels are its last value. Each issue and merge request is read once for all labels,
 * and equal sets of labels are taken apart once.
 */
export function countsSql(where: Conditions, viewer: Viewer | null, owner: LabelOwner): string {
  const inOwner =
    'projectId' in owner
      ? `p.id = ${where.value(owner.projectId)}`
      : `p.namespace_id IN (SELECT below.id FROM namespaces below
          WHERE below.traversal_ids @> ARRAY[${where.value(owner.groupId)}::bigint])`;
  const issues = `p.issues_enabled AND (${readable(where, viewer, 'read_issue')})
    AND (${confidentiality(where, viewer)})`;
  const merges = `i.state = 'opened' AND p.merge_requests_enabled AND p.repository_enabled
    AND (${readable(where, viewer, 'read_merge_request')})`;
  const given = `$${where.values.length + 1}::text[]`;
  const counted = (table: string, condition: string): string => `
    (SELECT used.name, (sum(sets.count) FILTER (WHERE sets.state = 'opened'))::int AS opened,
      (sum(sets.count) FILTER (WHERE sets.state = 'closed'))::int AS closed
    FROM (SELECT i.labels, i.state, count(*) AS count
      FROM ${table} i JOIN projects p ON p.id = i.project_id
      WHERE i.labels && ${given} AND ${inOwner} AND NOT p.pending_delete AND ${condition}
      GROUP BY i.labels, i.state) sets
      CROSS JOIN unnest(sets.labels) AS used(name)
    WHERE used.name = ANY(${given}) GROUP BY used.name)`;
  return `SELECT *, "openIssues" + "closedIssues" + "openMergeRequests" AS count
    FROM (SELECT name, coalesce(i.opened, 0) AS "openIssues",
      coalesce(i.closed, 0) AS "closedIssues", coalesce(r.opened, 0) AS "openMergeRequests"
    FROM unnest(${given}) AS given(name)
    LEFT JOIN ${counted('issues', issues)} i USING (name)
    LEFT JOIN ${counted('merge_requests', merges)} r USING (name)) counts`;
}

/** Seeing an open project suffices; in others a role is required. */
function readable(where: Conditions, viewer: Viewer | null, ability: ProjectAbility): string {
  if (viewer?.admin === true) return 'true';
  if (viewer === null) return `p.visibility = ${VISIBILITY.public}`;
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  return `p.visibility >= ${open} OR ${authorized(where, viewer, ability)}`;
}

function confidentiality(where: Conditions, viewer: Viewer | null): string {
  if (viewer?.admin === true) return 'true';
  if (viewer === null) return 'NOT i.confidential';
  const me = where.value(viewer.id);
  return `NOT i.confidential OR i.author_id = ${me}
    OR i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${me})
    OR ${authorized(where, viewer, 'read_confidential_issue')}`;
}

function authorized(where: Conditions, viewer: Viewer, ability: ProjectAbility): string {
  return authorizedProjectSql(where.value(viewer.id), String(ROLES[PROJECT_ABILITIES[ability]]));
}

/**
 * Subscribes user $1 to label $2; nothing if one of them is gone. Neither can be deleted meanwhile.
 */
export const SUBSCRIBE_SQL = `
  INSERT INTO label_subscriptions (label_id, user_id)
  SELECT l.id, u.id FROM users u JOIN labels l ON l.id = $2 WHERE u.id = $1 FOR KEY SHARE
  ON CONFLICT DO NOTHING RETURNING label_id`;

export const UNSUBSCRIBE_SQL = `
  DELETE FROM label_subscriptions WHERE user_id = $1 AND label_id = $2 RETURNING label_id`;

/** Makes label $1 one of group $2. */
export const PROMOTE_SQL = `
  INSERT INTO labels (group_id, name, description, color)
  SELECT $2::bigint, name, description, color FROM labels WHERE id = $1
  ON CONFLICT (group_id, name) DO UPDATE SET updated_at = now() RETURNING id`;

/** Removes the labels below that label $2 of group $1 replaces; issues keep the name. */
export const REMOVE_PROMOTED_SQL = `
  DELETE FROM labels l USING projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE l.project_id = p.id AND n.traversal_ids @> ARRAY[$1::bigint]
    AND l.name = (SELECT name FROM labels WHERE id = $2)`;

/** Gives label $2 of group $1 the subscribers of the labels below with its name. */
export const KEEP_SUBSCRIBERS_SQL = `
  INSERT INTO label_subscriptions (label_id, user_id)
  SELECT DISTINCT $2::bigint, s.user_id FROM labels l
  JOIN projects p ON p.id = l.project_id JOIN namespaces n ON n.id = p.namespace_id
  JOIN label_subscriptions s ON s.label_id = l.id
  WHERE n.traversal_ids @> ARRAY[$1::bigint] AND l.name = (SELECT name FROM labels WHERE id = $2)
  ON CONFLICT DO NOTHING`;

/** Projects in which label $1 is the one with the name $2: none below it takes precedence. */
const BEARERS = `
  SELECT p.id FROM labels own
  JOIN namespaces n ON own.group_id = ANY(n.traversal_ids)
  JOIN projects p ON p.namespace_id = n.id
  WHERE own.id = $1 AND NOT EXISTS (SELECT FROM labels l WHERE l.id <> own.id AND l.name = $2
    AND (l.project_id = p.id OR l.group_id = ANY(n.traversal_ids)))
  UNION ALL SELECT project_id FROM labels WHERE id = $1 AND project_id IS NOT NULL`;

export const LOCK_BEARERS_SQL = (table: string): string => `
  SELECT FROM ${table} WHERE project_id IN (${BEARERS}) AND labels @> ARRAY[$2::text]
  ORDER BY id FOR NO KEY UPDATE`;

export const RENAME_SQL = (table: string): string => `
  UPDATE ${table} SET labels = ARRAY(
    SELECT given.name FROM unnest(array_replace(labels, $2::text, $3::text)) AS given(name)
    WHERE given.name IS NOT NULL GROUP BY given.name ORDER BY given.name COLLATE "C")
  WHERE project_id IN (${BEARERS}) AND labels @> ARRAY[$2::text]`;
