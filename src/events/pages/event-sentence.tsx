import type { VNode } from 'preact';
import {
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  type EventAction,
} from '../../core/activity/event-kinds.js';
import { wikiPageNames } from '../wiki-page-names.js';
import { targetAddress } from './feed-addresses.js';
import type { FeedEvent } from './feed-reader.service.js';
import { PushSentence } from './push-sentence.js';

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
