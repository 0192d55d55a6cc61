import type { NamedPeople, NewNotice } from '../activity/new-notice.js';
import type { NoticeKind } from '../activity/notice-kinds.js';
import { namesNobody } from '../mentions/named-people.js';
import type { LinkChanges } from './issue-change-notes.js';
import type { Issue } from './issue.entity.js';

/** Change of an issue and its author. */
interface NoticedChange {
  actorId: number;
  links: LinkChanges;
  /** Users whom its texts mention for the first time; null if the texts are unchanged. */
  named: NamedPeople | null;
}

/** Returns the notices of a change; a state change has an event instead. */
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
