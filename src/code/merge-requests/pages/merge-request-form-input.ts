import { given } from '../../../core/ui/form-input.decorator.js';
import type { NamedAssignees } from '../../../workspace/issues/pages/named-assignees.service.js';
import { draftTitle, isDraft, readyTitle } from '../drafts.js';
import type { FoundMergeRequest } from '../sql/merge-request-columns.js';

type Form = Record<string, unknown>;

/** The fields of a merge request as its forms have them. */
export interface MergeRequestValues {
  /** Without the mark of drafts. */
  title: string;
  isDraft: boolean;
  description: string;
  /** Target branch. */
  target: string;
  /** User names with commas between. */
  assignees: string;
  reviewers: string;
  /** Names with commas between. */
  labels: string;
  /** ID of the milestone; empty for none. */
  milestone: string;
  removesSource: boolean;
  isLocked: boolean;
}

/** The fields as they were sent. Browsers send line breaks of text fields as CRLF (HTML standard). */
export function valuesOfForm(form: Form): MergeRequestValues {
  return {
    title: given(form, 'title'),
    isDraft: given(form, 'draft') === 'true',
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    target: given(form, 'target_branch'),
    assignees: given(form, 'assignees'),
    reviewers: given(form, 'reviewers'),
    labels: given(form, 'labels'),
    milestone: given(form, 'milestone_id'),
    removesSource: given(form, 'remove_source_branch') === 'true',
    isLocked: given(form, 'discussion_locked') === 'true',
  };
}

/** The fields for changing a merge request. */
export function valuesOfMergeRequest(row: FoundMergeRequest): MergeRequestValues {
  const names = (users: FoundMergeRequest['assignees']): string =>
    users.map(({ username }) => username).join(', ');
  return {
    title: readyTitle(row.title),
    isDraft: isDraft(row.title),
    description: (row.description ?? '').replaceAll('\r\n', '\n'),
    target: row.targetBranch,
    assignees: names(row.assignees),
    reviewers: names(row.reviewers),
    labels: row.labels.join(', '),
    milestone: String(row.milestone?.id ?? ''),
    removesSource: row.removeSourceBranch,
    isLocked: row.discussionLocked,
  };
}

/** Parameters that authors can give whatever their role. */
export function textParams({ title, isDraft: isMarked, description }: MergeRequestValues): Form {
  return { title: isMarked ? draftTitle(title) : title, description };
}

/** Returns the parameters that take a role; throws 400 for unknown usernames. */
export async function attributeParams(
  { labels, milestone, removesSource, assignees, reviewers }: MergeRequestValues,
  users: NamedAssignees,
): Promise<Form> {
  return {
    labels,
    milestone_id: milestone,
    remove_source_branch: removesSource,
    assignee_ids: await users.idsOf(assignees),
    reviewer_ids: await users.idsOf(reviewers, 'reviewers'),
  };
}
