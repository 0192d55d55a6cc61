import { given } from '../../../core/ui/form-input.decorator.js';
import type { FoundIssue } from '../sql/issue-columns.js';
import type { IssueType } from '../issue.entity.js';

type Form = Record<string, unknown>;

/** The fields of an issue as its forms have them. */
export interface IssueValues {
  title: string;
  description: string;
  type: IssueType;
  confidential: boolean;
  /** Names with commas between. */
  labels: string;
  /** User names with commas between. */
  assignees: string;
  dueDate: string;
  /** ID of the milestone; empty for none. */
  milestone: string;
  isLocked: boolean;
}

/** The fields as they were sent. Browsers send line breaks of text fields as CRLF (HTML standard). */
export function valuesOfForm(form: Form): IssueValues {
  return {
    title: given(form, 'title'),
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    type: given(form, 'issue_type') === 'incident' ? 'incident' : 'issue',
    confidential: given(form, 'confidential') === 'true',
    labels: given(form, 'labels'),
    assignees: given(form, 'assignees'),
    dueDate: given(form, 'due_date'),
    milestone: given(form, 'milestone_id'),
    isLocked: given(form, 'discussion_locked') === 'true',
  };
}

/** The fields for changing an issue. */
export function valuesOfIssue(issue: FoundIssue): IssueValues {
  return {
    title: issue.title,
    description: (issue.description ?? '').replaceAll('\r\n', '\n'),
    type: issue.issueType,
    confidential: issue.confidential,
    labels: issue.labels.join(', '),
    assignees: issue.assignees.map(({ username }) => username).join(', '),
    dueDate: issue.dueDate ?? '',
    milestone: String(issue.milestone?.id ?? ''),
    isLocked: issue.discussionLocked,
  };
}

/** Parameters of everyone who can write or change the issue. */
export function textParams({ title, description }: IssueValues): Form {
  return { title, description };
}

/** Parameters of those who plan the work. */
export function planParams(values: IssueValues, assigneeIds: readonly number[]): Form {
  const { labels, dueDate, milestone } = values;
  return { labels, due_date: dueDate, milestone_id: milestone, assignee_ids: assigneeIds };
}
