import type { Viewer } from '../core/access/viewer.js';
import { canInProject, type ProjectAbility } from '../members/abilities.js';
import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { CreateIssueDto } from './issue.dto.js';
import { wantedAssignees, assertLengths } from './issue-attributes.js';
import { changedLabels } from './issue-labels.js';
import type { Issue } from './issue.entity.js';

type NewAttributes = Pick<Issue, 'title' | 'description' | 'confidential'> & Partial<Issue>;

/** An issue as it is to be made. */
export interface NewIssue {
  attributes: NewAttributes;
  assigneeIds: number[];
  /** Not looked for yet; null for none. */
  milestoneId: number | null;
  /** The number that it is to have; null for the next one. */
  chosenIid: number | null;
}

/**
 * Returns the attributes of a new issue that the user can set: everyone the texts and
 * confidentiality, members the planning attributes, Reporters the type, Owners number and date.
 * Others are dropped, as v4 does. Throws 400 for texts and labels that are too long.
 */
export function newIssue(dto: CreateIssueDto, project: ProjectRow, viewer: Viewer): NewIssue {
  assertLengths(dto);
  const labels = changedLabels([], { labels: dto.labels ?? [] });
  const may = (ability: ProjectAbility): boolean => mayAsMember(ability, project, viewer);
  const isMember = may('create_issue');
  const isOwner = may('own_project');
  const attributes: NewAttributes = {
    title: dto.title,
    description: dto.description ?? null,
    confidential: dto.confidential === true,
    ...(isMember && { labels, dueDate: dto.due_date ?? null }),
    ...(dto.issue_type && may('admin_issue') && { issueType: dto.issue_type }),
    ...(dto.created_at && isOwner && { createdAt: dto.created_at }),
  };
  return {
    attributes,
    assigneeIds: isMember ? (wantedAssignees(dto) ?? []) : [],
    milestoneId: isMember ? (dto.milestone_id ?? null) : null,
    chosenIid: isOwner ? (dto.iid ?? null) : null,
  };
}

/**
 * Returns true if the member role suffices, without the abilities that everyone has in visible
 * projects.
 */
function mayAsMember(
  ability: ProjectAbility,
  { accessLevel }: ProjectRow,
  viewer: Viewer,
): boolean {
  return canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
}
