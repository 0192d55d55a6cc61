import type { VNode } from 'preact';
import {
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  type EventAction,
} from '../../activity/event-kinds.js';
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
  merged: 'merged',
  joined: 'joined',
  left: 'left',
  destroyed: 'deleted',
  expired: 'was removed, the membership having expired, from',
  approved: 'approved',
};

const ACTIONS: ReadonlyMap<number, EventAction> = new Map(
  (Object.keys(EVENT_ACTIONS) as EventAction[]).map((name) => [EVENT_ACTIONS[name], name]),
);

/** What happened, behind the name of who did it: `closed issue #4 Broken link`. */
export function EventSentence({ event, project }: FeedEvent): VNode {
  if (event.action === EVENT_ACTIONS.pushed)
    return <PushSentence event={event} project={project} />;
  const { kind, name } = subjectOf({ event, project });
  const address = targetAddress({ event, project });
  return (
    <>
      {verbOf({ event, project })} {kind}{' '}
      {address === null ? (
        <span class="break-words">{name}</span>
      ) : (
        <a class="prose-link break-words" href={address}>
          {name}
        </a>
      )}
    </>
  );
}

/** Projects and pages are made, not opened. */
function verbOf({ event }: FeedEvent): string {
  const action = ACTIONS.get(event.action) ?? 'updated';
  const isMade =
    event.targetType === EVENT_TARGETS.project || event.targetType === EVENT_TARGETS.wiki_page;
  return action === 'created' && isMade ? 'created' : VERBS[action];
}

interface Subject {
  kind: string;
  name: string;
}

function subjectOf(feedEvent: FeedEvent): Subject {
  const { event, project } = feedEvent;
  const { targetType, target } = event;
  const title = target?.title ?? '';
  if (targetType === EVENT_TARGETS.project) return { kind: 'project', name: project.fullPath };
  if (targetType === EVENT_TARGETS.note) return noteableOf(feedEvent);
  if (targetType === EVENT_TARGETS.wiki_page) {
    return { kind: 'wiki page', name: wikiPageNames(target?.path ?? '')?.title ?? '' };
  }
  if (targetType === EVENT_TARGETS.milestone) return { kind: 'milestone', name: title };
  const isIssue = targetType === EVENT_TARGETS.issue;
  const name = `${isIssue ? '#' : '!'}${target?.iid ?? ''} ${title}`;
  return { kind: isIssue ? 'issue' : 'merge request', name };
}

const COMMIT_DIGITS = 8;

function noteableOf({ event: { note, noteableType } }: FeedEvent): Subject {
  const title = note?.noteableTitle ?? '';
  if (noteableType === EVENT_NOTEABLES.commit) {
    return { kind: 'commit', name: (note?.sha ?? '').slice(0, COMMIT_DIGITS) };
  }
  if (noteableType === EVENT_NOTEABLES.snippet) return { kind: 'snippet', name: title };
  const isIssue = noteableType === EVENT_NOTEABLES.issue;
  const name = `${isIssue ? '#' : '!'}${note?.noteableIid} ${title}`;
  return { kind: isIssue ? 'issue' : 'merge request', name };
}
