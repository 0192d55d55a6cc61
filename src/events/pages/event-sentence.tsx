import type { VNode } from 'preact';
import {
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  type EventAction,
  PUSH_ACTIONS,
  REF_TYPES,
} from '../../core/activity/event-kinds.js';
import { wikiPageNames } from '../wiki-page-names.js';
import type { FeedEvent } from './feed-reader.service.js';
import { counted } from '../../core/ui/amounts.js';
import type { NamedProject } from '../../workspace/projects/projects.repository.js';
import type { EventRow } from '../visible-events.repository.js';
import { encodePath } from '../../core/http/url.js';

const VERBS: Record<EventAction, string> = {
  created: 'opened',
  updated: 'updated',
  closed: 'closed',
  reopened: 'reopened',
  pushed: 'pushed to',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'deleted',
  expired: 'left',
  approved: 'approved',
};

const ACTIONS: ReadonlyMap<number, EventAction> = new Map(
  (Object.keys(EVENT_ACTIONS) as EventAction[]).map((name) => [EVENT_ACTIONS[name], name]),
);

const COMMIT_DIGITS = 8;

/** Description of an event after its author's name: `closed issue #4 Broken link`. */
export function EventSentence(feedEvent: FeedEvent): VNode {
  const { event, project } = feedEvent;
  if (event.action === EVENT_ACTIONS.pushed) {
    return <PushSentence event={event} project={project} />;
  }
  const { kind, name } = subjectOf(feedEvent);
  const isOver = event.action === EVENT_ACTIONS.expired;
  return (
    <>
      {verbOf(feedEvent)} {kind} <Subject address={targetAddress(feedEvent)} name={name} />
      {isOver && ' because the membership expired'}
    </>
  );
}

function Subject({ address, name }: { address: string | null; name: string }): VNode {
  if (address === null) return <span class="font-medium">{name}</span>;
  return (
    <a class="prose-link" href={address}>
      {name}
    </a>
  );
}

/** Projects and pages are made, not opened. */
function verbOf({ event }: FeedEvent): string {
  const action = ACTIONS.get(event.action) ?? 'updated';
  const isMade =
    event.targetType === EVENT_TARGETS.project || event.targetType === EVENT_TARGETS.wiki_page;
  return action === 'created' && isMade ? 'created' : VERBS[action];
}

interface SubjectNames {
  kind: string;
  name: string;
}

function subjectOf(feedEvent: FeedEvent): SubjectNames {
  const { targetType, target } = feedEvent.event;
  if (targetType === EVENT_TARGETS.note) return noteableOf(feedEvent);
  if (targetType === EVENT_TARGETS.project) {
    return { kind: 'project', name: feedEvent.project.fullPath };
  }
  if (targetType === EVENT_TARGETS.wiki_page) {
    return { kind: 'wiki page', name: wikiPageNames(target?.path ?? '')?.title ?? '' };
  }
  if (targetType === EVENT_TARGETS.milestone) {
    const isGone = target === null;
    return { kind: isGone ? 'a' : 'milestone', name: target?.title ?? 'deleted milestone' };
  }
  const isIssue = targetType === EVENT_TARGETS.issue;
  return numbered(isIssue, target?.iid, target?.title);
}

function noteableOf({ event: { note, noteableType } }: FeedEvent): SubjectNames {
  if (noteableType === EVENT_NOTEABLES.commit) {
    return { kind: 'commit', name: (note?.sha ?? '').slice(0, COMMIT_DIGITS) };
  }
  if (noteableType === EVENT_NOTEABLES.snippet) {
    return { kind: 'snippet', name: note?.noteableTitle ?? '' };
  }
  const isIssue = noteableType === EVENT_NOTEABLES.issue;
  return numbered(isIssue, note?.noteableIid, note?.noteableTitle);
}

function numbered(
  isIssue: boolean,
  iid: number | null | undefined,
  title: string | null | undefined,
): SubjectNames {
  const name = `${isIssue ? '#' : '!'}${iid ?? ''} ${title ?? ''}`.trim();
  return { kind: isIssue ? 'issue' : 'merge request', name };
}

const SHOWN_DIGITS = 8;

/**
 * Description of a push: `pushed 2 commits to branch main`, `deleted tag v1`, `pushed 4 new
 * branches`.
 */
function PushSentence({ event, project }: FeedEvent): VNode {
  const kind = event.refType === REF_TYPES.tag ? 'tag' : 'branch';
  if (event.ref === null) return <>{bulkText(event, kind)}</>;
  if (event.pushAction === PUSH_ACTIONS.removed) {
    return (
      <>
        deleted {kind} <code>{event.ref}</code>
      </>
    );
  }
  return (
    <>
      {event.pushAction === PUSH_ACTIONS.created ? 'pushed new' : `pushed ${commits(event)} to`}{' '}
      {kind}{' '}
      <a class="prose-link" href={refAddress(project, event.ref)}>
        {event.ref}
      </a>
    </>
  );
}

/** The newest commit of a push, and where all of them can be compared; null when it has none. */
export function PushedCommits({ event, project }: FeedEvent): VNode | null {
  const { commitTo: to, commitTitle } = event;
  if (to === null || commitTitle === null) return null;
  return (
    <span class="break-words">
      <a class="prose-link" href={commitAddress(project, to)}>
        <code>{to.slice(0, SHOWN_DIGITS)}</code>
      </a>{' '}
      {commitTitle}
      <Comparison event={event} project={project} />
    </span>
  );
}

function Comparison({ event, project }: { event: EventRow; project: NamedProject }): VNode | null {
  const { commitFrom: from, commitTo: to, commitCount } = event;
  if (from === null || to === null || (commitCount ?? 0) < 2) return null;
  return (
    <>
      {' · '}
      <a class="prose-link" href={comparisonAddress(project, { from, to })}>
        {`Compare ${commits(event)}`}
      </a>
    </>
  );
}

function commits({ commitCount }: EventRow): string {
  return counted(commitCount ?? 0, 'commit');
}

function bulkText({ pushAction, refCount }: EventRow, kind: 'branch' | 'tag'): string {
  const many = kind === 'branch' ? 'branches' : 'tags';
  if (pushAction === PUSH_ACTIONS.removed) return `deleted ${refCount} ${many}`;
  const isNew = pushAction === PUSH_ACTIONS.created;
  return isNew ? `pushed ${refCount} new ${many}` : `pushed to ${refCount} ${many}`;
}

/** Path prefixes of numbered items. */
const LISTS: Partial<Record<number, string>> = {
  [EVENT_TARGETS.issue]: 'issues',
  [EVENT_TARGETS.merge_request]: 'merge_requests',
  [EVENT_TARGETS.milestone]: 'milestones',
};

/** Page of what the event is about; null when there is none, or no more. */
function targetAddress({ event, project }: FeedEvent): string | null {
  const { targetType, targetId, target } = event;
  if (targetType === EVENT_TARGETS.project) return `/${project.fullPath}`;
  if (targetType === EVENT_TARGETS.note) return noteAddress(event, project);
  if (targetId === null || target?.iid === undefined) return null;
  return `/${project.fullPath}/-/${LISTS[targetType ?? 0] ?? ''}/${target.iid}`;
}

function noteAddress(
  { note, noteableType, noteableId }: EventRow,
  project: NamedProject,
): string | null {
  if (note === null) return null;
  const base = `/${project.fullPath}/-`;
  const anchor = `#note_${note.id}`;
  if (noteableType === EVENT_NOTEABLES.commit)
    return commitAddress(project, note.sha ?? '') + anchor;
  if (noteableType === EVENT_NOTEABLES.snippet) return `${base}/snippets/${noteableId}${anchor}`;
  const list = noteableType === EVENT_NOTEABLES.issue ? 'issues' : 'merge_requests';
  return `${base}/${list}/${note.noteableIid}${anchor}`;
}

/** Commits of a branch or tag. */
function refAddress({ fullPath }: NamedProject, ref: string): string {
  return `/${fullPath}/-/commits/${encodePath(ref)}`;
}

function commitAddress({ fullPath }: NamedProject, sha: string): string {
  return `/${fullPath}/-/commit/${sha}`;
}

/** Returns the path of the comparison that shows a push's changes. */
function comparisonAddress(
  { fullPath }: NamedProject,
  { from, to }: { from: string; to: string },
): string {
  return `/${fullPath}/-/compare?${new URLSearchParams({ from, to }).toString()}`;
}
