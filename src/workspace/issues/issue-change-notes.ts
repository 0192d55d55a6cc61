import type { MilestoneAssignment } from '../milestones/milestones.repository.js';
import type { AssigneeChange } from './issue-assignees.repository.js';
import type { IssueAttributes } from './sql/issue-columns.js';

/** Changes of the assignees and the milestone. */
export interface LinkChanges {
  assignees: AssigneeChange;
  /** null when it stays. */
  milestone: MilestoneAssignment | null;
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

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
    lockNote(changed.discussionLocked),
    assigneeNote({ added: namesOfAll(assignees.added), removed: namesOfAll(assignees.removed) }),
  ];
  return notes.filter((note) => typeof note === 'string');
}

/** Returns the note about a changed title; null if it is unchanged. */
export function titleNote(before: string, after: string | undefined): string | null {
  if (after === undefined) return null;
  return `changed title from **${escaped(before)}** to **${escaped(after)}**`;
}

/** Returns the note about a changed milestone; v4 clients know the words. */
export function milestoneNote({ title }: MilestoneAssignment): string {
  if (title === null) return 'removed milestone';
  return `changed milestone to ${/^[\w.:-]+$/.test(title) ? `%${escaped(title)}` : `%"${escaped(title)}"`}`;
}

/** Returns the note about changed labels. */
export function labelNote(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  return sentence(namesOf('added', added), namesOf('removed', removed));
}

function namesOf(verb: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const noun = names.length === 1 ? 'label' : 'labels';
  return `${verb} ${names.map(labelReference).join(' ')} ${noun}`;
}

function labelReference(name: string): string {
  return /^[\w.:-]+$/.test(name) ? `~${escaped(name)}` : `~"${escaped(name)}"`;
}

function dueDateNote(before: string | null, after: string | null | undefined): string | null {
  if (after === undefined) return null;
  if (after !== null) return `changed due date to ${DAY.format(new Date(after))}`;
  return before === null ? null : `removed due date ${DAY.format(new Date(before))}`;
}

function confidentialityNote(confidential: boolean | undefined): string | null {
  if (confidential === undefined) return null;
  return confidential ? 'made the issue confidential' : 'made the issue visible to everyone';
}

function lockNote(isLocked: boolean | undefined): string | null {
  if (isLocked === undefined) return null;
  return `${isLocked ? 'locked' : 'unlocked'} the discussion in this issue`;
}

function namesOfAll(people: AssigneeChange['added']): string[] {
  return people.map(({ username }) => username);
}

/** Returns the note about changed assignees, by their usernames; null if they are unchanged. */
export function assigneeNote({
  added,
  removed,
}: Record<'added' | 'removed', readonly string[]>): string | null {
  const words = [
    added.length === 0 ? null : `assigned to ${mentions(added)}`,
    removed.length === 0 ? null : `unassigned ${mentions(removed)}`,
  ];
  return words.every((word) => word === null) ? null : sentence(...words);
}

/** `@ann, @bob, and @eve`. */
export function mentions(usernames: readonly string[]): string {
  return new Intl.ListFormat('en').format(usernames.map((name) => `@${name}`));
}

/** The parts that there are, joined by `and`. */
export function sentence(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' and ');
}

/** Text that Markdown shows as it is, on one line. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>~|&!#@]/g, '\\$&').replace(/\s+/g, ' ');
}
