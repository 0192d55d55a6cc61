import type { VNode } from 'preact';
import {
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  type EventAction,
  PUSH_ACTIONS,
  REF_TYPES,
} from '../../core/activity/event.entity.js';
import { wikiPageNames } from '../wiki-pages.repository.js';
import { commitAddress, comparisonAddress, refAddress, targetAddress } from './event-addresses.js';
import type { FeedEvent } from './feed-reader.service.js';
import { counted } from '../../core/ui/amounts.js';
import { ReferencedText } from '../../core/ui/components/markdown.js';
import type { NamedProject } from '../../workspace/projects/projects.repository.js';
import type { EventRow } from '../visible-events.repository.js';

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

/** An event in words, after its author's name: `closed issue` `#4 Broken link`. */
interface Sentence {
  words: string;
  subject: Subject | null;
  /** After the subject. */
  rest: string;
}

interface Subject {
  name: string;
  /** null if it has no page, or no longer. */
  href: string | null;
}

/** Describes an event. */
export function describeEvent(feedEvent: FeedEvent): Sentence {
  const { event, project } = feedEvent;
  if (event.action === EVENT_ACTIONS.pushed) return describePush(event, project);
  const { kind, name } = subjectOf(feedEvent);
  const isOver = event.action === EVENT_ACTIONS.expired;
  return {
    words: `${verbOf(feedEvent)} ${kind}`,
    subject: { name, href: targetAddress(feedEvent) },
    rest: isOver ? 'because the membership expired' : '',
  };
}

/** Returns the sentence as a text. */
export function sentenceText({ words, subject, rest }: Sentence): string {
  return [words, subject?.name ?? '', rest].filter((part) => part !== '').join(' ');
}

/** Describes an event with a link to its subject. */
export function EventSentence(feedEvent: FeedEvent): VNode {
  const { words, subject, rest } = describeEvent(feedEvent);
  return (
    <>
      {words} {subject !== null && <SubjectName {...subject} />} {rest}
    </>
  );
}

function SubjectName({ name, href }: Subject): VNode {
  if (href === null) return <span class="font-medium">{name}</span>;
  return (
    <a class="prose-link" href={href}>
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
  if (isDeletedMilestone(feedEvent)) return { kind: 'a', name: 'deleted milestone' };
  if (targetType === EVENT_TARGETS.milestone) {
    return { kind: 'milestone', name: target?.title ?? '' };
  }
  const isIssue = targetType === EVENT_TARGETS.issue;
  return numbered(isIssue, target?.iid, target?.title);
}

function isDeletedMilestone({ event }: FeedEvent): boolean {
  return event.targetType === EVENT_TARGETS.milestone && event.target === null;
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

/** `pushed 2 commits to branch` `main`, `deleted tag` `v1`, `pushed 4 new branches`. */
function describePush(event: EventRow, project: NamedProject): Sentence {
  const kind = event.refType === REF_TYPES.tag ? 'tag' : 'branch';
  const { ref } = event;
  if (ref === null) {
    return { words: refsText(event, event.refCount ?? 0), subject: null, rest: '' };
  }
  if (event.pushAction === PUSH_ACTIONS.removed) {
    return { words: `deleted ${kind}`, subject: { name: ref, href: null }, rest: '' };
  }
  const isNew = event.pushAction === PUSH_ACTIONS.created;
  const words = isNew ? `pushed new ${kind}` : `pushed ${commits(event)} to ${kind}`;
  return { words, subject: { name: ref, href: refAddress(project, ref) }, rest: '' };
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
      <ReferencedText text={commitTitle} project={project.fullPath} />
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

/** `deleted 3 branches`. */
function refsText({ pushAction, refType }: EventRow, count: number): string {
  const many = refType === REF_TYPES.tag ? 'tags' : 'branches';
  if (pushAction === PUSH_ACTIONS.removed) return `deleted ${count} ${many}`;
  const isNew = pushAction === PUSH_ACTIONS.created;
  return isNew ? `pushed ${count} new ${many}` : `pushed to ${count} ${many}`;
}

/**
 * Describes a run of events of one kind by one author in one project: `closed 20 issues`,
 * `commented on issue #4 Broken link 3 times`.
 */
export function describeRun(run: readonly [FeedEvent, ...FeedEvent[]]): string {
  const [first] = run;
  const { event } = first;
  const sentence = describeEvent(first);
  const names = new Set(
    run.map((one) =>
      isDeletedMilestone(one) ? one.event.id : (describeEvent(one).subject?.name ?? ''),
    ),
  );
  const times = names.size === run.length ? '' : ` ${run.length} times`;
  if (event.action === EVENT_ACTIONS.pushed) {
    if (event.ref === null)
      return refsText(
        event,
        sumOf(run, ({ refCount }) => refCount),
      );
    if (names.size > 1) return `${refsText(event, names.size)}${times}`;
    if (event.pushAction !== PUSH_ACTIONS.pushed) return `${sentenceText(sentence)}${times}`;
    const count = counted(
      sumOf(run, ({ commitCount }) => commitCount),
      'commit',
    );
    return `pushed ${count} to ${event.refType === REF_TYPES.tag ? 'tag' : 'branch'} ${event.ref}`;
  }
  if (names.size === 1) return `${sentenceText(sentence)}${times}`;
  return `${verbOf(first)} ${counted(names.size, kindOf(run))}${times}`;
}

function kindOf(run: readonly [FeedEvent, ...FeedEvent[]]): string {
  if (run.every(isDeletedMilestone)) return 'deleted milestone';
  return run.some(isDeletedMilestone) ? 'milestone' : subjectOf(run[0]).kind;
}

function sumOf(run: readonly FeedEvent[], count: (event: EventRow) => number | null): number {
  return run.reduce((sum, { event }) => sum + (count(event) ?? 0), 0);
}
