import type { VNode } from 'preact';
import { counted } from '../../core/ui/amounts.js';
import { Item } from '../../core/ui/components/item-list.js';
import { Time } from '../../core/ui/components/time.js';
import { Labels } from '../../issues/pages/issue-badges.js';
import type { UserBasics } from '../../users/user.presenter.js';
import type { MergeRequestRow } from '../sql/merge-request-columns.js';
import { MergeRequestMarks, StateBadge } from './merge-request-badges.js';
import type { MergeRequestPlace } from './merge-request-place.js';

interface MergeRequestItemProps {
  row: MergeRequestRow;
  place: MergeRequestPlace;
}

/** One merge request of a list. */
export function MergeRequestItem({ row, place }: MergeRequestItemProps): VNode {
  const title = (
    <>
      <a class="prose-link wrap-anywhere" href={`${place.path}/${row.iid}`}>
        {row.title}
      </a>
      <StateBadge state={row.state} />
      <MergeRequestMarks row={row} />
      <Labels labels={row.labels} list={place.path} />
    </>
  );
  return (
    <Item title={title}>
      {`!${row.iid} · opened `}
      <Time value={row.createdAt} />
      {' by '}
      <a class="prose-link" href={`/${row.author.username}`}>
        {row.author.name}
      </a>
      {' · '}
      <span class="font-mono text-[0.8125rem] break-all">
        {`${row.sourceBranch} → ${row.targetBranch}`}
      </span>
      {row.milestone !== null && ` · milestone ${row.milestone.title}`}
      {row.assignees.length > 0 && ` · assigned to ${namesOf(row.assignees)}`}
      {row.reviewers.length > 0 && ` · to be reviewed by ${namesOf(row.reviewers)}`}
      {row.userNotesCount > 0 && ` · ${counted(row.userNotesCount, 'comment')}`}
    </Item>
  );
}

function namesOf(users: UserBasics[]): string {
  return new Intl.ListFormat('en').format(users.map(({ name }) => name));
}
