import type { VNode } from 'preact';
import { PostButton } from '../../../core/ui/components/form.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { MergeRequestView } from '../merge-request-page-renderer.service.js';
import { mayChangeHere, type MergeRequestPageContext } from './merge-request-page-context.js';

interface WaitingMergeProps {
  csrfToken: string;
  place: MergeRequestPageContext;
  view: MergeRequestView;
}

/** Returns true if an open merge request waits for its pipeline. */
export function isWaiting({ row }: MergeRequestView): boolean {
  return row.state === 'opened' && row.autoMerger !== null;
}

/** Returns true if a merge can wait: its pipeline has not ended. */
export function canWait({ pipeline }: MergeRequestView): boolean {
  return pipeline?.status === 'pending' || pipeline?.status === 'running';
}

/** User who enabled auto-merge, and the button to cancel it. */
export function WaitingMerge({ csrfToken, place, view }: WaitingMergeProps): VNode | null {
  const { row } = view;
  if (!isWaiting(view) || row.autoMerger === null) return null;
  return (
    <div class="grid gap-3">
      <div role="status">
        <p class="font-semibold">It is merged when the pipeline succeeds</p>
        <p class="text-muted-foreground">
          <Person user={row.autoMerger} />
          {` wants it. New commits in ${row.sourceBranch} take that back.`}
        </p>
      </div>
      {mayCancel(place, view) && (
        <div>
          <PostButton action={`${place.path}/${row.iid}/merge/cancel`} csrfToken={csrfToken}>
            Cancel auto-merge
          </PostButton>
        </div>
      )}
    </div>
  );
}

function Person({ user: { username, name } }: { user: UserBasics }): VNode {
  return (
    <a class="prose-link" href={`/${username}`}>
      {name}
    </a>
  );
}

/** Returns true for users who can merge, and the author. */
function mayCancel(place: MergeRequestPageContext, { row, mayMerge }: MergeRequestView): boolean {
  const isAuthor = place.viewer?.id === row.author.id && mayChangeHere(place, row);
  return !place.project.archived && (mayMerge || isAuthor);
}
