import type { NamedPeople, NewNotice } from '../activity/new-notice.js';
import type { NoticeKind } from '../activity/notice-kinds.js';
import { namesNobody } from '../mentions/named-people.js';
import type { LinkChanges } from './merge-request-change-notes.js';
import type { PeopleChange } from './merge-request-people.js';
import type { MergeRequest } from './merge-request.entity.js';

/** Change of a merge request and its author. */
interface NoticedChange {
  actorId: number;
  links: LinkChanges;
  /** Users whom its texts mention for the first time; null if the texts are unchanged. */
  named: NamedPeople | null;
}

/** Returns the notices of a change; a state change has an event instead. */
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
