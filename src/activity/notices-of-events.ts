import type { NewEvent } from './new-event.js';
import type { NewNotice } from './new-notice.js';
import type { NoticeKind } from './notice-kinds.js';

/** Target and action of an event → what people are told of. */
const KINDS: Partial<Record<string, NoticeKind>> = {
  'issue created': 'new_issue',
  'issue closed': 'close_issue',
  'issue reopened': 'reopen_issue',
  'merge_request created': 'new_merge_request',
  'merge_request closed': 'close_merge_request',
  'merge_request reopened': 'reopen_merge_request',
  'merge_request merged': 'merge_merge_request',
};

/** The notices that go with events; most kinds of events have none. */
export function noticesOf(events: readonly NewEvent[]): NewNotice[] {
  return events.flatMap((event) => noticeOf(event) ?? []);
}

function noticeOf({ projectId, authorId, action, target, noteable }: NewEvent): NewNotice | null {
  if (target === undefined) return null;
  const base = { projectId, actorId: authorId };
  if (noteable !== undefined) {
    return { ...base, kind: 'new_note', target: noteable, noteId: target.id };
  }
  const kind = KINDS[`${target.type} ${action}`];
  if (kind === undefined || (target.type !== 'issue' && target.type !== 'merge_request'))
    return null;
  return { ...base, kind, target: { type: target.type, id: target.id } };
}
