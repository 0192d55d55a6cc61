import { EMPTY_TREE } from '../../../git/reading/diffs.js';
import type { DetailedMergeStatus } from '../merge-request.response.js';
import type { MergeRequestView } from '../merge-request-page-renderer.service.js';
import type { MergeRequestPageContext } from './merge-request-page-context.js';

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
  unchecked: checking('The branches are being looked at.'),
  checking: checking('It takes longer than usual to find out whether the branches can be merged.'),
  conflict: {
    title: 'There are conflicts',
    text: 'Resolve them on the source branch and push the result.',
    isAlarming: true,
  },
  commits_status: {
    title: 'Nothing to merge',
    text: 'The source branch has no commits that the target branch lacks.',
  },
  broken_status: {
    title: 'A branch is gone',
    text: 'The source branch or the target branch does not exist any more.',
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
    const text = 'Nothing in it can be changed.';
    return { kind: 'archived', title: 'The project is archived', text };
  }
  if (project.repositoryReadOnly) {
    const text = 'It can be merged when the repository is on its new storage.';
    return { kind: 'moving', title: 'The repository is being moved', text };
  }
  if (mergeability.detailed === 'draft_status') {
    const text = 'It can be merged when it is marked as ready.';
    return { kind: 'draft', title: 'This is a draft', text };
  }
  if (mergeability.detailed === 'conflict' && row.baseSha === EMPTY_TREE) {
    const text = 'The branches have no common history.';
    return { kind: 'status', title: 'It cannot be merged', text, isAlarming: true };
  }
  const words = OF_STATUS[mergeability.detailed];
  if (words !== undefined) return { kind: 'status', ...words };
  return mayMerge ? null : withoutRight(view, project.defaultBranch);
}

function checking(text: string): Words {
  return { title: 'Checking whether it can be merged', text };
}

/** The default branch is protected. */
function withoutRight({ row }: MergeRequestView, defaultBranch: string | null): Block {
  const who = row.targetBranch === defaultBranch ? 'Maintainers' : 'Developers';
  const text = `${who} and above of the project may merge into ${row.targetBranch}.`;
  return { kind: 'right', title: 'It can be merged', text };
}
