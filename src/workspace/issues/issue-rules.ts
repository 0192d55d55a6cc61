import type { Viewer } from '../../core/access/auth-context.js';
import { ForbiddenError } from '../../core/errors.js';
import { canInProject } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { Submission } from '../spam/submission.js';
import {
  assigneeNote,
  changedPlanning,
  changedTexts,
  labelNote,
  lockNote,
  milestoneNote,
  titleNote,
  type LinkChanges,
} from './issuable-changes.js';
import type { UpdateIssueDto } from './issue.dto.js';
import type { FoundIssue, IssueAttributes } from './sql/issue-list.js';

/** Throws ForbiddenError in a project that has issues turned off. */
export function assertIssuesEnabled(project: Pick<ProjectRow, 'issuesEnabled'>): void {
  if (!project.issuesEnabled) throw new ForbiddenError();
}

/** Throws ForbiddenError also in an archived project, which is read-only for everyone. */
export function assertTakesIssues(project: ProjectRow): void {
  assertIssuesEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** Throws ForbiddenError unless the viewer is the author or can administer the issue. */
export function assertMayChange(issue: FoundIssue, viewer: Viewer): void {
  if (issue.author.id !== viewer.id && !mayAdminister(issue, viewer)) throw new ForbiddenError();
}

/** Returns whether the viewer can plan the work on the issue and decide who sees it. */
export function mayAdminister(
  { accessLevel }: Pick<FoundIssue, 'accessLevel'>,
  viewer: Viewer,
): boolean {
  return canInProject('admin_issue', { visibility: VISIBILITY.private, accessLevel, viewer });
}

/**
 * Returns the attributes of the request that differ from `before`. Users who cannot administer the
 * issue change its texts only: other attributes are ignored, as v4 does, except confidentiality,
 * which is 403. Throws 400 for labels that are too long or too many.
 */
export function changedAttributes(
  before: IssueAttributes,
  dto: UpdateIssueDto,
  mayAdminister: boolean,
): Partial<IssueAttributes> {
  const isShown = typeof dto.confidential === 'boolean' && dto.confidential !== before.confidential;
  if (isShown && !mayAdminister) throw new ForbiddenError();
  return {
    ...changedTexts(before, dto),
    ...(mayAdminister && changedIssuePlanning(before, dto)),
    ...(isShown && { confidential: dto.confidential === true }),
  };
}

function changedIssuePlanning(
  before: IssueAttributes,
  dto: UpdateIssueDto,
): Partial<IssueAttributes> {
  const { due_date: dueDate, issue_type: type } = dto;
  return {
    ...changedPlanning(before, dto),
    ...(dueDate !== undefined && dueDate !== before.dueDate && { dueDate }),
    ...(type && type !== before.issueType && { issueType: type }),
    ...(type === 'issue' && before.severity !== 'unknown' && { severity: 'unknown' }),
  };
}

/**
 * Returns the system notes of a change, in Markdown; `changed` holds the attributes that differ.
 */
export function changeNotes(
  before: IssueAttributes,
  changed: Partial<IssueAttributes>,
  { assignees, milestone }: LinkChanges,
): string[] {
  const notes = [
    titleNote(before.title, changed.title),
    changed.description === undefined ? null : 'changed the description',
    changed.issueType && `changed type from ${before.issueType} to ${changed.issueType}`,
    changed.labels && labelNote(before.labels, changed.labels),
    dueDateNote(before.dueDate, changed.dueDate),
    milestone && milestoneNote(milestone),
    confidentialityNote(changed.confidential),
    lockNote(changed.discussionLocked, 'issue'),
    assigneeNote(assignees),
  ];
  return notes.filter((note) => typeof note === 'string');
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function dueDateNote(before: string | null, after: string | null | undefined): string | null {
  if (after === undefined) return null;
  if (after !== null) return `changed due date to ${DAY.format(new Date(after))}`;
  return before === null ? null : `removed due date ${DAY.format(new Date(before))}`;
}

function confidentialityNote(confidential: boolean | undefined): string | null {
  if (confidential === undefined) return null;
  return confidential ? 'made the issue confidential' : 'made the issue visible to everyone';
}

/**
 * Returns an issue for the spam check; null for issues that only members of the project can see.
 */
export function issueSubmission(
  {
    title,
    description,
    confidential,
  }: Pick<IssueAttributes, 'title' | 'description' | 'confidential'>,
  project: ProjectRow,
): Submission | null {
  if (confidential || project.visibility === VISIBILITY.private) return null;
  return { kind: 'issue', title, prose: description ?? '', files: [] };
}
