import type { NamedPeople, NewNotice } from '../activity/new-notice.js';
import type { NoticeKind } from '../activity/notice-kinds.js';
import { namesNobody } from '../mentions/named-people.js';
import type { LinkChanges } from './merge-request-change-notes.js';
import type { PeopleChange } from './merge-request-people.js';
import type { MergeRequest } from './merge-request.entity.js';

/** What a change did and whose it is. */
interface NoticedChange {
  actorId: number;
  links: LinkChanges;
  /** Whom its texts name and did not name before; null when these stay. */
  named: NamedPeople | null;
}

/** What people are told of a change by mail; its state comes with an event. */
export function changeNotices(
  { id, projectId }: Pick<MergeRequest, 'id' | 'projectId'>,
  { actorId, links, named }: NoticedChange,
): NewNotice[] {
  const notice = (kind: NoticeKind, details: NewNotice['details'] = {}): NewNotice => {
    return { kind, projectId, actorId, target: { type: 'merge_request', id }, details };
  };
  return [
    ...idsOf(links.assignees).map((ids) => notice('reassign_merge_request', ids)),
    ...idsOf(links.reviewers).map((ids) => notice('change_reviewer_merge_request', ids)),
    ...(links.milestone === null ? [] : [notice('change_milestone_merge_request')]),
    ...(named !== null && !namesNobody(named)
      ? [notice('mention_in_merge_request', { named })]
      : []),
  ];
}

/** Nothing when everyone keeps their role. */
function idsOf({ added, removed }: PeopleChange): { added: number[]; removed: number[] }[] {
  if (added.length + removed.length === 0) return [];
  return [{ added: added.map(({ id }) => id), removed: removed.map(({ id }) => id) }];
}
