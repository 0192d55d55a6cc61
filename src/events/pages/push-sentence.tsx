import type { VNode } from 'preact';
import { PUSH_ACTIONS, REF_TYPES } from '../../core/activity/event-kinds.js';
import { counted } from '../../core/ui/amounts.js';
import type { NamedProject } from '../../workspace/projects/projects.repository.js';
import type { EventRow } from '../visible-events.repository.js';
import { commitAddress, comparisonAddress, refAddress } from './feed-addresses.js';
import type { FeedEvent } from './feed-reader.service.js';

const SHOWN_DIGITS = 8;

/**
 * Description of a push: `pushed 2 commits to branch main`, `deleted tag v1`, `pushed 4 new
 * branches`.
 */
export function PushSentence({ event, project }: FeedEvent): VNode {
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
