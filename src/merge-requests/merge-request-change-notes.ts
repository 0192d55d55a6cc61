import {
  assigneeNote,
  labelNote,
  mentions,
  milestoneNote,
  sentence,
  titleNote,
} from '../issues/issue-change-notes.js';
import type { MilestoneAssignment } from '../milestones/milestones.repository.js';
import { isDraft } from './drafts.js';
import type { MergeRequestAttributes } from './merge-request-change-plan.js';
import type { Named, PeopleChange } from './merge-request-people.js';
import type { MergeRequest } from './merge-request.entity.js';

/** Changes of the assignees, reviewers, milestone and target branch. */
export interface LinkChanges {
  assignees: PeopleChange;
  reviewers: PeopleChange;
  /** null when it stays. */
  milestone: MilestoneAssignment | null;
  /** The new target branch; null when it stays. */
  targetBranch: string | null;
}

type Before = MergeRequestAttributes & Pick<MergeRequest, 'targetBranch'>;

/**
 * Returns the system notes of a change, in Markdown; `changed` holds the attributes that differ.
 */
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
    lockNote(changed.discussionLocked),
    assigneeNote({ added: namesOf(assignees.added), removed: namesOf(assignees.removed) }),
    reviewerNote(reviewers),
  ];
  return notes.filter((note) => typeof note === 'string');
}

/** Text that Markdown shows as code, whatever is in it. */
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

function lockNote(isLocked: boolean | undefined): string | null {
  if (isLocked === undefined) return null;
  return `${isLocked ? 'locked' : 'unlocked'} the discussion in this merge request`;
}

function reviewerNote({ added, removed }: PeopleChange): string | null {
  if (added.length + removed.length === 0) return null;
  return sentence(
    added.length === 0 ? null : `requested review from ${mentions(namesOf(added))}`,
    removed.length === 0 ? null : `removed review request for ${mentions(namesOf(removed))}`,
  );
}

function namesOf(people: readonly Named[]): string[] {
  return people.map(({ username }) => username);
}
