import type { NamedPeople, NewNotification } from '../../core/activity/new-notification.js';
import type { NotificationKind } from '../../core/activity/notification-kinds.js';
import {
  assigneeNote,
  labelNote,
  mentions,
  milestoneNote,
  sentence,
  titleNote,
} from '../../workspace/issues/issue-change-notes.js';
import { changedLabels } from '../../workspace/issues/issue-labels.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { namesNobody } from '../../workspace/mentions/named-people.js';
import type { MilestoneAssignment } from '../../workspace/milestones/milestones.repository.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { Submission } from '../../workspace/spam/submission.js';
import type { NamedUser } from '../../identity/users/users.repository.js';
import { isDraft } from './drafts.js';
import type { PeopleChange } from './merge-request-people.repository.js';
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
  const { title, description } = dto;
  return {
    ...(title && title !== before.title && { title }),
    ...(description !== undefined && description !== before.description && { description }),
    ...(mayAdminister && changedPlanningAttributes(before, dto)),
  };
}

function changedPlanningAttributes(
  before: MergeRequestAttributes,
  dto: UpdateMergeRequestDto,
): Partial<MergeRequestAttributes> {
  const { discussion_locked: isLocked, remove_source_branch: isRemoved } = dto;
  const labels = changedLabels(before.labels, dto);
  const isLockChanged = typeof isLocked === 'boolean' && isLocked !== before.discussionLocked;
  const isRemovalChanged =
    typeof isRemoved === 'boolean' && isRemoved !== before.removeSourceBranch;
  return {
    ...(labels.join() !== before.labels.join() && { labels }),
    ...(isLockChanged && { discussionLocked: isLocked }),
    ...(isRemovalChanged && { removeSourceBranch: isRemoved }),
  };
}

/** The changed links of a merge request. */
export interface LinkChanges {
  assignees: PeopleChange;
  reviewers: PeopleChange;
  /** null when it stays. */
  milestone: MilestoneAssignment | null;
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
    lockNote(changed.discussionLocked),
    assigneeNote({ added: namesOf(assignees.added), removed: namesOf(assignees.removed) }),
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

function namesOf(people: readonly NamedUser[]): string[] {
  return people.map(({ username }) => username);
}

/** The links of a change, its actor, and users whom only its new texts mention. */
interface NotificationdChange {
  actorId: number;
  links: LinkChanges;
  /** Newly mentioned users; null when the texts stay. */
  named: NamedPeople | null;
}

/** Returns the notifications of a change; a change of its state comes with an event. */
export function changeNotifications(
  { id, projectId }: Pick<MergeRequest, 'id' | 'projectId'>,
  { actorId, links, named }: NotificationdChange,
): NewNotification[] {
  const notification = (
    kind: NotificationKind,
    details: NewNotification['details'] = {},
  ): NewNotification => {
    return { kind, projectId, actorId, target: { type: 'merge_request', id }, details };
  };
  return [
    ...idsOf(links.assignees).map((ids) => notification('reassign_merge_request', ids)),
    ...idsOf(links.reviewers).map((ids) => notification('change_reviewer_merge_request', ids)),
    ...(links.milestone === null ? [] : [notification('change_milestone_merge_request')]),
    ...(named !== null && !namesNobody(named)
      ? [notification('mention_in_merge_request', { named })]
      : []),
  ];
}

/** Nothing when everyone keeps their role. */
function idsOf({ added, removed }: PeopleChange): { added: number[]; removed: number[] }[] {
  if (added.length + removed.length === 0) return [];
  return [{ added: added.map(({ id }) => id), removed: removed.map(({ id }) => id) }];
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
