import type {
  MentionTargets,
  NewNotification,
  NotificationKind,
} from '../../core/activity/notifications.repository.js';
import type { NamedUser } from '../../identity/users/users.repository.js';
import { mentionsNobody } from '../mentions/mention-parser.js';
import type { MilestoneAssignment } from '../milestones/milestones.repository.js';
import { changedLabels, type LabelChanges } from './issuable-attributes.js';

/** Attributes that issues and merge requests have in common. */
interface IssuableAttributes {
  title: string;
  description: string | null;
  labels: string[];
  discussionLocked: boolean;
}

/** Parameters of an update that issues and merge requests have in common. */
interface UpdateParams extends LabelChanges {
  title?: string | null;
  description?: string | null;
  discussion_locked?: boolean | null;
}

/** Users who got a role in an issue or merge request, and users who lost it. */
export interface PeopleChange {
  added: readonly NamedUser[];
  removed: readonly NamedUser[];
}

export const NO_PEOPLE: PeopleChange = { added: [], removed: [] };

/** The changed links of an issue or merge request. */
export interface LinkChanges {
  assignees: PeopleChange;
  reviewers?: PeopleChange;
  /** null if it stays. */
  milestone: MilestoneAssignment | null;
}

/** Returns the texts that change; null clears the description and keeps the title. */
export function changedTexts(
  before: Pick<IssuableAttributes, 'title' | 'description'>,
  { title, description }: UpdateParams,
): Partial<Pick<IssuableAttributes, 'title' | 'description'>> {
  return {
    ...(title && title !== before.title && { title }),
    ...(description !== undefined && description !== before.description && { description }),
  };
}

/**
 * Returns the common planning attributes that change; throws 400 for labels that are too long or
 * too many.
 */
export function changedPlanning(
  before: IssuableAttributes,
  params: UpdateParams,
): Partial<Pick<IssuableAttributes, 'labels' | 'discussionLocked'>> {
  const { discussion_locked: isLocked } = params;
  const labels = changedLabels(before.labels, params);
  const isLockChanged = typeof isLocked === 'boolean' && isLocked !== before.discussionLocked;
  // The database orders the names of renamed labels by other rules.
  const areChanged = labels.join() !== before.labels.toSorted().join();
  return {
    ...(areChanged && { labels }),
    ...(isLockChanged && { discussionLocked: isLocked }),
  };
}

/** Returns the users who get a role and those who lose it; `find` returns those who can have it. */
export async function peopleChange(
  present: readonly NamedUser[],
  wanted: readonly number[],
  find: (userIds: readonly number[]) => Promise<NamedUser[]>,
): Promise<PeopleChange> {
  const removed = present.filter(({ id }) => !wanted.includes(id));
  const unknown = wanted.filter((id) => present.every((user) => user.id !== id));
  return { added: await find(unknown), removed };
}

const KINDS = {
  issue: {
    assignees: 'reassign_issue',
    reviewers: null,
    milestone: 'change_milestone_issue',
    mention: 'mention_in_issue',
    labels: 'relabel_issue',
  },
  merge_request: {
    assignees: 'reassign_merge_request',
    reviewers: 'change_reviewer_merge_request',
    milestone: 'change_milestone_merge_request',
    mention: 'mention_in_merge_request',
    labels: 'relabel_merge_request',
  },
} as const;

/** An issue or merge request whose change notifies users. */
interface ChangedIssuable {
  type: keyof typeof KINDS;
  id: number;
  projectId: number;
}

/** The links of a change, its actor, and users whom only its new texts mention. */
interface NotifiedChange {
  actorId: number;
  links: LinkChanges;
  /** null if the texts stay. */
  named: MentionTargets | null;
  /** Names of labels that were added. */
  labels: string[];
}

/** Returns the notifications of a change; a change of state has an event instead. */
export function changeNotifications(
  { type, id, projectId }: ChangedIssuable,
  { actorId, links, named, labels }: NotifiedChange,
): NewNotification[] {
  const kinds = KINDS[type];
  const notifications: NewNotification[] = [];
  const add = (kind: NotificationKind, details: NewNotification['details'] = {}): void => {
    notifications.push({ kind, projectId, actorId, target: { type, id }, details });
  };
  for (const role of ['assignees', 'reviewers'] as const) {
    const [kind, { added, removed } = NO_PEOPLE] = [kinds[role], links[role]];
    if (kind === null || added.length + removed.length === 0) continue;
    add(kind, { added: added.map((user) => user.id), removed: removed.map((user) => user.id) });
  }
  if (links.milestone !== null) add(kinds.milestone);
  if (named !== null && !mentionsNobody(named)) add(kinds.mention, { named });
  if (labels.length > 0) add(kinds.labels, { labels });
  return notifications;
}

/** Returns the system note about a changed title, in Markdown; null if it is unchanged. */
export function titleNote(before: string, after: string | undefined): string | null {
  if (after === undefined) return null;
  return `changed title from **${escaped(before)}** to **${escaped(after)}**`;
}

/** Returns the note about a changed milestone, in the words of v4. */
export function milestoneNote({ title }: MilestoneAssignment): string {
  return title === null ? 'removed milestone' : `changed milestone to ${reference('%', title)}`;
}

/** Returns the labels that only the changed list has; none without a change. */
export function addedLabels(before: readonly string[], after: readonly string[] = []): string[] {
  return after.filter((name) => !before.includes(name));
}

/** Returns the note about changed labels. */
export function labelNote(before: readonly string[], after: readonly string[]): string {
  const added = addedLabels(before, after);
  const removed = before.filter((name) => !after.includes(name));
  return sentence(labelClause('added', added), labelClause('removed', removed));
}

function labelClause(verb: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const noun = names.length === 1 ? 'label' : 'labels';
  return `${verb} ${names.map((name) => reference('~', name)).join(' ')} ${noun}`;
}

/** Returns the note about a locked or unlocked discussion; null if it is unchanged. */
export function lockNote(isLocked: boolean | undefined, noun: string): string | null {
  if (isLocked === undefined) return null;
  return `${isLocked ? 'locked' : 'unlocked'} the discussion in this ${noun}`;
}

/** Returns the note about changed assignees; null if they are unchanged. */
export function assigneeNote({ added, removed }: PeopleChange): string | null {
  return clauses(
    added.length === 0 ? null : `assigned to ${mentions(added)}`,
    removed.length === 0 ? null : `unassigned ${mentions(removed)}`,
  );
}

/** Returns the note about changed reviewers; null if they are unchanged. */
export function reviewerNote({ added, removed }: PeopleChange): string | null {
  return clauses(
    added.length === 0 ? null : `requested review from ${mentions(added)}`,
    removed.length === 0 ? null : `removed review request for ${mentions(removed)}`,
  );
}

/** `@ann, @bob, and @eve`. */
export function mentions(users: readonly Pick<NamedUser, 'username'>[]): string {
  return new Intl.ListFormat('en').format(users.map(({ username }) => `@${username}`));
}

function clauses(...parts: (string | null)[]): string | null {
  return parts.every((part) => part === null) ? null : sentence(...parts);
}

function sentence(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' and ');
}

function reference(mark: '~' | '%', name: string): string {
  return /^[\w.:-]+$/.test(name) ? `${mark}${escaped(name)}` : `${mark}"${escaped(name)}"`;
}

/** Escapes Markdown and joins the lines. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>~|&!#@]/g, '\\$&').replace(/\s+/g, ' ');
}
