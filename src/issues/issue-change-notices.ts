import type { NamedPeople, NewNotice } from '../activity/new-notice.js';
import type { NoticeKind } from '../activity/notice-kinds.js';
import { namesNobody } from '../mentions/named-people.js';
import type { LinkChanges } from './issue-change-notes.js';
import type { Issue } from './issue.entity.js';

/** What a change did and whose it is. */
interface NoticedChange {
  actorId: number;
  links: LinkChanges;
  /** Whom its texts name and did not name before; null when these stay. */
  named: NamedPeople | null;
}

/** What people are told of a change by mail; its state comes with an event. */
export function changeNotices(
  { id, projectId }: Pick<Issue, 'id' | 'projectId'>,
  { actorId, links: { assignees, milestone }, named }: NoticedChange,
): NewNotice[] {
  const target = { type: 'issue', id } as const;
  const notice = (kind: NoticeKind, details: NewNotice['details'] = {}): NewNotice => {
    return { kind, projectId, actorId, target, details };
  };
  const notices: NewNotice[] = [];
  const added = assignees.added.map((user) => user.id);
  const removed = assignees.removed.map((user) => user.id);
  if (added.length + removed.length > 0) notices.push(notice('reassign_issue', { added, removed }));
  if (milestone !== null) notices.push(notice('change_milestone_issue'));
  if (named !== null && !namesNobody(named)) notices.push(notice('mention_in_issue', { named }));
  return notices;
}
