import type { Viewer } from '../../../core/access/viewer.js';
import { Conditions } from '../../../core/sql/conditions.js';
import type { IssuableScope } from '../../../workspace/issues/issuable.dto.js';
import {
  abilitySql,
  addIssuableFilters,
  hasRoleSql,
  type IssuableTables,
} from '../../../workspace/issues/sql/issuable-conditions.js';
import type { ProjectAbility } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { draftSql } from '../drafts.js';
import type { ListMergeRequestsDto } from '../merge-request-filters.dto.js';

/** Merge requests as the filters that they share with issues see them. */
export const MERGE_REQUEST_FILTERS: IssuableTables = {
  alias: 'r',
  people: 'merge_request_people',
  peopleKey: 'merge_request_id',
  roleSql: (role) => `q.role = '${role}'`,
};

/** The merge requests of a list, before visibility. */
export interface MergeRequestSelection {
  projectId?: number;
  milestoneId?: number;
  scope?: IssuableScope | null;
}

/** Returns the conditions of a list or count but its state; throws 400 as its filters do. */
export function selectionConditions(
  viewer: Viewer | null,
  { projectId, milestoneId, scope }: MergeRequestSelection,
  filters: ListMergeRequestsDto,
): { where: Conditions; seesInternalNotes: string } {
  const where = new Conditions();
  const { visible, seesInternalNotes } = mergeRequestVisibility(where, viewer);
  where.and(visible);
  if (projectId !== undefined) where.and(`r.project_id = ${where.value(projectId)}`);
  if (milestoneId !== undefined) where.and(`r.milestone_id = ${where.value(milestoneId)}`);
  const me = viewer?.id ?? null;
  if (scope === 'created_by_me') where.and(`r.author_id = ${where.value(me)}`);
  if (scope === 'assigned_to_me')
    where.and(hasRoleSql(MERGE_REQUEST_FILTERS, 'assignee', where.value(me)));
  addMergeRequestFilters(where, filters);
  return { where, seesInternalNotes };
}

/** Adds the filters of a list or count; throws 400 for filters that exclude each other. */
function addMergeRequestFilters(where: Conditions, filters: ListMergeRequestsDto): void {
  const { assignee_id, assignee_username, reviewer_id, reviewer_username } = filters;
  addIssuableFilters(where, MERGE_REQUEST_FILTERS, {
    filters,
    people: [
      { role: 'assignee', id: assignee_id, usernames: assignee_username },
      {
        role: 'reviewer',
        id: reviewer_id,
        usernames: reviewer_username ? [reviewer_username] : null,
      },
    ],
  });
  const { source_branch: source, target_branch: target } = filters;
  if (source) where.and(`r.source_branch = ${where.value(source)}`);
  if (target) where.and(`r.target_branch = ${where.value(target)}`);
  addDraft(where, filters);
}

function addDraft(where: Conditions, { draft, wip }: ListMergeRequestsDto): void {
  const wanted = draft ?? (wip ? wip === 'yes' : null);
  if (wanted === null) return;
  where.and(wanted ? draftSql('r.title') : `NOT (${draftSql('r.title')})`);
}

/** SQL conditions over the tables of `MERGE_REQUEST_TABLES`. */
export interface MergeRequestVisibility {
  /** True if the viewer can see the merge request. */
  visible: string;
  /** True if the viewer can read its internal notes. */
  seesInternalNotes: string;
}

/**
 * Returns the conditions for the viewer: merge requests of open projects, and of those in which they
 * can read the code; no one sees them when merge requests are disabled. Administrators see all.
 */
export function mergeRequestVisibility(
  conditions: Conditions,
  viewer: Viewer | null,
): MergeRequestVisibility {
  const existing = 'NOT p.pending_delete AND p.merge_requests_enabled AND p.repository_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public}`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => abilitySql(me, ability);
  const visible = `${existing} AND (p.visibility >= ${open} OR ${may('read_merge_request')})`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}
