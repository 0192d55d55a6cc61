import type { VNode } from 'preact';
import { Time } from '../../../core/ui/components/time.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { CommitState } from '../commit-states.js';
import type { CodeAddresses } from './addresses.js';
import { CommitStateBadge } from './commit-state-badge.js';

interface CommitItemProps {
  commit: CommitRecord;
  addresses: CodeAddresses;
  /** State of the commit in external CI. */
  state?: CommitState | undefined;
}

/** One commit of a list. */
export function CommitItem({ commit, addresses, state }: CommitItemProps): VNode {
  const { id, authorName, committerName, committedDate } = commit;
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
      <div class="min-w-0 grow basis-60 break-words">
        <CommitTitle commit={commit} addresses={addresses} />
        <div class="text-muted-foreground text-[0.8125rem]">
          {authorName}
          {committerName !== authorName && `, committed by ${committerName}`}
          {', '}
          <Time value={committedDate} />
        </div>
      </div>
      <span class="flex items-center gap-3">
        {state !== undefined && <CommitStateBadge state={state} />}
        <CommitId id={id} addresses={addresses} />
        <a class="prose-link" href={addresses.tree(id)}>
          Files
          <span class="sr-only">{` at ${shortId(id)}`}</span>
        </a>
      </span>
    </li>
  );
}

/** First line of the message, which leads to the commit. */
export function CommitTitle({ commit, addresses }: CommitItemProps): VNode {
  return (
    <a class="font-medium hover:underline" href={addresses.commit(commit.id)}>
      {titleOf(commit)}
    </a>
  );
}

/** The beginning of its id, which leads to the commit. */
export function CommitId({ id, addresses }: { id: string; addresses: CodeAddresses }): VNode {
  return (
    <a class="prose-link font-mono text-[0.8125rem]" href={addresses.commit(id)}>
      {shortId(id)}
    </a>
  );
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

export function titleOf({ title }: Pick<CommitRecord, 'title'>): string {
  return title === '' ? 'Commit without a message' : title;
}
