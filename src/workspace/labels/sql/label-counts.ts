import type { Viewer } from '../../../core/access/viewer.js';
import type { Conditions } from '../../../core/sql/conditions.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../../identity/members/abilities.js';
import { ROLES } from '../../../identity/members/roles.js';
import { authorizedProjectSql } from '../../../identity/members/sql/access.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';

interface Counted {
  owner: { projectId: number } | { groupId: number };
  names: readonly string[];
}

/** Returns the condition on projects `p` that the viewer can see. */
export function projectVisibility(where: Conditions, viewer: Viewer | null): string {
  return readable(where, viewer, 'read_project');
}

/** Returns the statement that counts issues and merge requests by label, as the viewer sees them. */
export function countsSql(
  where: Conditions,
  viewer: Viewer | null,
  { owner, names }: Counted,
): string {
  const inOwner =
    'projectId' in owner
      ? `p.id = ${where.value(owner.projectId)}`
      : `p.namespace_id IN (SELECT below.id FROM namespaces below
          WHERE below.traversal_ids @> ARRAY[${where.value(owner.groupId)}::bigint])`;
  const count = (table: string, condition: string): string => `
    (SELECT count(*)::int FROM ${table} i JOIN projects p ON p.id = i.project_id
     WHERE i.labels @> ARRAY[given.name] AND ${inOwner} AND NOT p.pending_delete
       AND ${condition})`;
  const issues = `p.issues_enabled AND (${readable(where, viewer, 'read_issue')})
    AND (${confidentiality(where, viewer)})`;
  const merges = `p.merge_requests_enabled
    AND (${readable(where, viewer, 'read_merge_request')})`;
  return `SELECT given.name,
      ${count('issues', `i.state = 'opened' AND ${issues}`)} AS "openIssues",
      ${count('issues', `i.state = 'closed' AND ${issues}`)} AS "closedIssues",
      ${count('merge_requests', `i.state = 'opened' AND ${merges}`)} AS "openMergeRequests"
    FROM unnest(${where.value(names)}::text[]) AS given(name)`;
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
    OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = ${me})
    OR ${authorized(where, viewer, 'read_confidential_issue')}`;
}

function authorized(where: Conditions, viewer: Viewer, ability: ProjectAbility): string {
  return authorizedProjectSql(where.value(viewer.id), String(ROLES[PROJECT_ABILITIES[ability]]));
}
