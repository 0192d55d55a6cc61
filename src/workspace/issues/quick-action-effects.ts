import { ValidationFailedError } from '../../core/errors.js';
import { toDate } from '../../core/params/coerce.js';
import { nameOf, namesIn, type QuickActionName } from '../notes/quick-actions.js';
import type { NamedUser } from '../../identity/users/users.repository.js';
import type { QuickActionDraft, QuickActionEffects } from './quick-action-planner.service.js';
import { changedLabels, isTitle } from './issuable-attributes.js';
import { mentions } from './issuable-changes.js';

const MAX_ASSIGNEES = 100;
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Effects of quick actions on noteables with a state, labels, assignees and a discussion. */
export const COMMON_EFFECTS = {
  close: (draft) => changeState(draft, 'close'),
  reopen: (draft) => changeState(draft, 'reopen'),
  title: (draft, argument) => retitle(draft, argument, `Changed the title to "${argument}".`),
  label: addLabels,
  unlabel: removeLabels,
  assign,
  unassign,
  milestone: setMilestone,
  remove_milestone: removeMilestone,
  lock: (draft) => setLock(draft, true),
  unlock: (draft) => setLock(draft, false),
  subscribe: (draft) => setSubscription(draft, 'subscribe'),
  unsubscribe: (draft) => setSubscription(draft, 'unsubscribe'),
} satisfies QuickActionEffects;

/** Effects of quick actions on issues. */
export const ISSUE_EFFECTS: QuickActionEffects = {
  ...COMMON_EFFECTS,
  due,
  remove_due_date: removeDueDate,
  confidential: hide,
};

/** Returns the names of quick actions that have an effect. */
export function quickActionsOf(effects: QuickActionEffects): ReadonlySet<QuickActionName> {
  return new Set(Object.keys(effects) as QuickActionName[]);
}

/** Changes the title and returns the sentence; null for the same or an invalid title. */
export function retitle(draft: QuickActionDraft, title: string, sentence: string): string | null {
  if (!isTitle(title) || title === draft.now.title) return null;
  draft.changes.title = draft.now.title = title;
  return sentence;
}

function changeState({ now, changes }: QuickActionDraft, event: 'close' | 'reopen'): string | null {
  const isPossible = event === 'close' ? now.state === 'opened' : now.state === 'closed';
  if (!isPossible || changes.state_event !== undefined) return null;
  if (event === 'reopen' && !now.isReopenable) return null;
  changes.state_event = event;
  return `${event === 'close' ? 'Closed' : 'Reopened'} this ${now.noun}.`;
}

function addLabels(draft: QuickActionDraft, argument: string): string | null {
  const given = (namesIn(argument, '~') ?? []).flatMap((name) => name.split(','));
  const names = given.map((name) => name.trim()).filter((name) => name !== '');
  const added = [...new Set(names)].filter((name) => !draft.now.labels.includes(name));
  const labels = added.length === 0 ? null : labelsWith(draft.now.labels, added);
  if (labels === null) return null;
  draft.changes.labels = draft.now.labels = labels;
  return `Added ${labelList(added)}.`;
}

/** Returns null for labels that are too long or too many. */
function labelsWith(before: readonly string[], added: readonly string[]): string[] | null {
  try {
    return changedLabels(before, { add_labels: added });
  } catch (error) {
    if (error instanceof ValidationFailedError) return null;
    throw error;
  }
}

/** Removes all unless the argument names some. */
function removeLabels({ now, changes }: QuickActionDraft, argument: string): string | null {
  const names = argument === '' ? now.labels : (namesIn(argument, '~') ?? []);
  const removed = now.labels.filter((name) => names.includes(name));
  if (removed.length === 0) return null;
  changes.labels = now.labels.filter((name) => !removed.includes(name));
  now.labels = changes.labels;
  return `Removed ${labelList(removed)}.`;
}

function labelList(names: readonly string[]): string {
  const labels = names.map((name) => (/^[\w.:-]+$/.test(name) ? `~${name}` : `~"${name}"`));
  return `${labels.join(' ')} ${names.length === 1 ? 'label' : 'labels'}`;
}

function assign(draft: QuickActionDraft, argument: string): string | null {
  const named = peopleIn(draft, argument);
  const isAssigned = ({ id }: NamedUser): boolean =>
    draft.now.assignees.some((one) => one.id === id);
  const added = named.filter((user) => !isAssigned(user));
  const assignees = [...draft.now.assignees, ...added];
  if (added.length === 0 || assignees.length > MAX_ASSIGNEES) return null;
  replaceAssignees(draft, assignees);
  return `Assigned ${mentions(added)}.`;
}

/** Removes all unless the argument names some. */
function unassign(draft: QuickActionDraft, argument: string): string | null {
  const { assignees } = draft.now;
  const named = new Set(peopleIn(draft, argument).map(({ id }) => id));
  const removed = assignees.filter(({ id }) => argument === '' || named.has(id));
  if (removed.length === 0) return null;
  replaceAssignees(
    draft,
    assignees.filter((one) => !removed.includes(one)),
  );
  const noun = removed.length === 1 ? 'assignee' : 'assignees';
  return `Removed ${noun} ${mentions(removed)}.`;
}

/** Returns the users whom the argument names, each once; none if a name is unknown. */
function peopleIn({ names, now }: QuickActionDraft, argument: string): NamedUser[] {
  const given = namesIn(argument, '@') ?? [];
  const found = given.map((name) => {
    const wanted = name.toLowerCase();
    const present = now.assignees.find(({ username }) => username.toLowerCase() === wanted);
    return present ?? names.people.get(wanted) ?? null;
  });
  const people = found.filter((user) => user !== null);
  if (people.length < found.length) return [];
  return people.filter(({ id }, at) => people.findIndex((user) => user.id === id) === at);
}

function replaceAssignees({ now, changes }: QuickActionDraft, assignees: NamedUser[]): void {
  now.assignees = assignees;
  changes.assignee_ids = assignees.map(({ id }) => id);
}

function due({ now, changes }: QuickActionDraft, argument: string): string | null {
  const date = toDate(argument);
  // PostgreSQL has no year 0.
  if (typeof date !== 'string' || date < '0001' || date === now.dueDate) return null;
  changes.due_date = now.dueDate = date;
  return `Set the due date to ${DAY.format(new Date(date))}.`;
}

function removeDueDate({ now, changes }: QuickActionDraft): string | null {
  if (now.dueDate === null) return null;
  changes.due_date = now.dueDate = null;
  return 'Removed the due date.';
}

function setMilestone({ now, names, changes }: QuickActionDraft, argument: string): string | null {
  const title = nameOf(argument, '%');
  const id = names.milestones.get(title);
  if (id === undefined || id === now.milestoneId) return null;
  changes.milestone_id = now.milestoneId = id;
  return `Set the milestone to ${/^[\w.:-]+$/.test(title) ? `%${title}` : `%"${title}"`}.`;
}

function removeMilestone({ now, changes }: QuickActionDraft): string | null {
  if (now.milestoneId === null) return null;
  now.milestoneId = null;
  changes.milestone_id = 0;
  return 'Removed the milestone.';
}

function setLock({ now, changes }: QuickActionDraft, isLocked: boolean): string | null {
  if (now.discussionLocked === isLocked) return null;
  changes.discussion_locked = now.discussionLocked = isLocked;
  return `${isLocked ? 'Locked' : 'Unlocked'} the discussion.`;
}

/** The last one of a comment applies. */
function setSubscription(
  { now, changes }: QuickActionDraft,
  event: 'subscribe' | 'unsubscribe',
): string {
  changes.subscription_event = event;
  return `${event === 'subscribe' ? 'Subscribed to' : 'Unsubscribed from'} this ${now.noun}.`;
}

function hide({ now, changes }: QuickActionDraft): string | null {
  if (now.confidential) return null;
  changes.confidential = now.confidential = true;
  return 'Made this issue confidential.';
}
