import type { Viewer } from '../core/access/viewer.js';
import { ForbiddenError } from '../core/errors.js';
import type { Conditions } from '../core/sql/conditions.js';
import { canInProject, PROJECT_ABILITIES, type ProjectAbility } from '../members/abilities.js';
import { authorizedProjectSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/project-row.js';
import type { FoundIssue } from './issue-row.js';

/** SQL conditions over the tables of `ISSUE_TABLES`. */
export interface IssueVisibility {
  /** The asker may see the issue. */
  visible: string;
  /** The asker may read the internal notes beneath it. */
  seesInternalNotes: string;
}

/**
 * What the asker may see of an issue: whoever sees the project sees its issues, confidential ones
 * only as their author, as an assignee or with the role for it; nobody when the project has issues
 * turned off. Administrators see them in every project.
 */
export function issueVisibility(conditions: Conditions, viewer: Viewer | null): IssueVisibility {
  const existing = 'NOT p.pending_delete AND p.issues_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public} AND NOT i.confidential`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => authorizedProjectSql(me, level(ability));
  const visible = `${existing}
    AND (p.visibility >= ${open} OR ${may('read_issue')})
    AND (NOT i.confidential OR i.author_id = ${me} OR ${may('read_confidential_issue')}
      OR i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${me}))`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}

function level(ability: ProjectAbility): string {
  return String(ROLES[PROJECT_ABILITIES[ability]]);
}

/** 403 for everyone in a project that has issues turned off. */
export function assertIssuesEnabled(project: ProjectRow): void {
  if (!project.issuesEnabled) throw new ForbiddenError();
}

/** 403 also in an archived project, which is read-only for everyone. */
export function assertTakesIssues(project: ProjectRow): void {
  assertIssuesEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** 403 unless the asker, who sees the issue, may change it: its author and who keeps the issues. */
export function assertMayChange(issue: FoundIssue, viewer: Viewer): void {
  if (issue.author.id !== viewer.id && !mayAdminister(issue, viewer)) throw new ForbiddenError();
}

/** May the asker, who sees the issue, plan the work on it and decide who sees it? */
export function mayAdminister(
  { accessLevel }: Pick<FoundIssue, 'accessLevel'>,
  viewer: Viewer,
): boolean {
  return canInProject('admin_issue', { visibility: VISIBILITY.private, accessLevel, viewer });
}
