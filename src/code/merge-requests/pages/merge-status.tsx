import type { VNode } from 'preact';
import { PostButton } from '../../../core/ui/components/form.js';
import { EMPTY_TREE } from '../../../git/reading/diffs.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { MergeRequestView } from '../merge-request-details.service.js';
import type { DetailedMergeStatus } from '../merge-request.response.js';
import { mayChangeHere, type MergeRequestPageContext } from './merge-request-page-context.js';

/** Reason why the viewer cannot merge an open merge request, in words. */
export interface Block {
  kind: 'archived' | 'moving' | 'draft' | 'status' | 'right';
  title: string;
  text: string;
  /** It takes a change of the branches before anything can be merged. */
  isAlarming?: boolean;
}

type Words = Omit<Block, 'kind'>;

const OF_STATUS: Partial<Record<DetailedMergeStatus, Words>> = {
  unchecked: checking('This takes a few seconds.'),
  checking: checking('This takes longer than usual.'),
  conflict: {
    title: 'Merge conflicts must be resolved',
    text: 'Resolve them on the source branch and push.',
    isAlarming: true,
  },
  commits_status: {
    title: 'Nothing to merge',
    text: 'The source branch has no commits that the target branch lacks.',
  },
  broken_status: {
    title: 'Branch not found',
    text: 'The source or target branch was deleted.',
    isAlarming: true,
  },
};

/** Returns the first reason against merging, null if there is none; missing rights come last. */
export function blockOf(
  { project }: MergeRequestPageContext,
  view: MergeRequestView,
): Block | null {
  const { row, mergeability, mayMerge } = view;
  if (project.archived) {
    const text = 'Archived projects are read-only.';
    return { kind: 'archived', title: 'The project is archived', text };
  }
  if (project.repositoryReadOnly) {
    const text = 'You can merge once the repository has moved to its new storage.';
    return { kind: 'moving', title: 'The repository is read-only', text };
  }
  if (mergeability.detailed === 'draft_status') {
    const text = 'Mark it as ready to merge it.';
    return { kind: 'draft', title: 'This is a draft', text };
  }
  if (mergeability.detailed === 'conflict' && row.baseSha === EMPTY_TREE) {
    const text = 'These branches have unrelated histories and cannot be merged.';
    return { kind: 'status', title: 'Cannot be merged', text, isAlarming: true };
  }
  const words = OF_STATUS[mergeability.detailed];
  if (words !== undefined) return { kind: 'status', ...words };
  return mayMerge ? null : withoutRight(view, project.defaultBranch);
}

function checking(text: string): Words {
  return { title: 'Checking mergeability', text };
}

/** The default branch is protected. */
function withoutRight({ row }: MergeRequestView, defaultBranch: string | null): Block {
  const who = row.targetBranch === defaultBranch ? 'Maintainers' : 'Developers';
  const text = `${who} and above can merge into ${row.targetBranch}.`;
  return { kind: 'right', title: 'Ready to merge', text };
}

interface WaitingMergeProps {
  csrfToken: string;
  context: MergeRequestPageContext;
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
export function WaitingMerge({ csrfToken, context, view }: WaitingMergeProps): VNode | null {
  const { row } = view;
  if (!isWaiting(view) || row.autoMerger === null) return null;
  return (
    <div class="grid gap-3">
      <div role="status">
        <p class="font-semibold">Auto-merge enabled</p>
        <p class="text-muted-foreground">
          <Person user={row.autoMerger} />
          {' enabled auto-merge: it merges when the pipeline succeeds. New commits cancel it.'}
        </p>
      </div>
      {mayCancel(context, view) && (
        <div>
          <PostButton action={`${context.path}/${row.iid}/merge/cancel`} csrfToken={csrfToken}>
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
function mayCancel(context: MergeRequestPageContext, { row, mayMerge }: MergeRequestView): boolean {
  const isAuthor = context.viewer?.id === row.author.id && mayChangeHere(context, row);
  return !context.project.archived && (mayMerge || isAuthor);
}
