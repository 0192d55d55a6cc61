import {
  assigneeNote,
  changedPlanning,
  changedTexts,
  labelNote,
  lockNote,
  milestoneNote,
  reviewerNote,
  titleNote,
  type LinkChanges as IssuableLinkChanges,
  type PeopleChange,
} from '../../workspace/issues/issuable-changes.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { Submission } from '../../workspace/spam/submission.js';
import { isDraft } from './drafts.js';
import type { UpdateMergeRequestDto } from './merge-request.dto.js';
import type { MergeRequest } from './merge-request.entity.js';

/** Attributes that users write and set; branches, people and the milestone are links. */
export type MergeRequestAttributes = Pick<
  MergeRequest,
  'title' | 'description' | 'labels' | 'removeSourceBranch' | 'discussionLocked'
>;

/**
 * Returns the attributes that differ after the request. Authors without a role change texts only:
 * the rest is ignored, as v4 does. Throws 400 for labels that are too long or too many.
 */
export function changedAttributes(
  before: MergeRequestAttributes,
  dto: UpdateMergeRequestDto,
  mayAdminister: boolean,
): Partial<MergeRequestAttributes> {
  return {
    ...changedTexts(before, dto),
    ...(mayAdminister && changedPlanningAttributes(before, dto)),
  };
}

function changedPlanningAttributes(
  before: MergeRequestAttributes,
  dto: UpdateMergeRequestDto,
): Partial<MergeRequestAttributes> {
  const { remove_source_branch: isRemoved } = dto;
  const isRemovalChanged =
    typeof isRemoved === 'boolean' && isRemoved !== before.removeSourceBranch;
  return {
    ...changedPlanning(before, dto),
    ...(isRemovalChanged && { removeSourceBranch: isRemoved }),
  };
}

/** The changed links of a merge request. */
export interface LinkChanges extends IssuableLinkChanges {
  reviewers: PeopleChange;
  /** The new target branch; null when it stays. */
  targetBranch: string | null;
}

type Before = MergeRequestAttributes & Pick<MergeRequest, 'targetBranch'>;

/** Returns the system notes of a change, in Markdown. */
export function changeNotes(
  before: Before,
  changed: Partial<MergeRequestAttributes>,
  { assignees, reviewers, milestone, targetBranch }: LinkChanges,
): string[] {
  const notes = [
    titleNote(before.title, changed.title),
    draftNote(before.title, changed.title),
    changed.description === undefined ? null : 'changed the description',
    targetBranch === null ? null : targetNote(before.targetBranch, targetBranch),
    changed.labels && labelNote(before.labels, changed.labels),
    milestone && milestoneNote(milestone),
    lockNote(changed.discussionLocked, 'merge request'),
    assigneeNote(assignees),
    reviewerNote(reviewers),
  ];
  return notes.filter((note) => typeof note === 'string');
}

/** Returns Markdown that shows the text as code, backticks included. */
export function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  return runs.length === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

function draftNote(before: string, after: string | undefined): string | null {
  if (after === undefined || isDraft(before) === isDraft(after)) return null;
  return isDraft(after)
    ? 'marked this merge request as **draft**'
    : 'marked this merge request as **ready**';
}

function targetNote(before: string, after: string): string {
  return `changed target branch from ${codeSpan(before)} to ${codeSpan(after)}`;
}

/** The texts of a merge request. */
export type MergeRequestTexts = Pick<MergeRequest, 'title'> &
  Partial<Pick<MergeRequest, 'description'>>;

/** A merge request as the spam check sees it; null when only members of the project see it. */
export function mergeRequestSubmission(
  { title, description }: MergeRequestTexts,
  project: Pick<ProjectRow, 'visibility'>,
): Submission | null {
  if (project.visibility === VISIBILITY.private) return null;
  return { kind: 'merge_request', title, prose: description ?? '', files: [] };
}
