import type { VNode } from 'preact';
import type { PipelineRow } from '../../code/code.repository.js';
import type { CodeAddresses } from '../../code/pages/addresses.js';
import { CommitId } from '../../code/pages/commit-item.js';
import { CommitStateBadge } from '../../code/pages/commit-state-badge.js';

interface HeadPipelineProps {
  pipeline: PipelineRow;
  code: CodeAddresses;
}

/** Pipeline of a merge request's head; the commit page lists its statuses. */
export function HeadPipeline({ pipeline: { status, sha, ref }, code }: HeadPipelineProps): VNode {
  return (
    <div class="flex flex-wrap items-center gap-2 text-sm" role="group" aria-label="Pipeline">
      <span class="font-medium">Pipeline</span>
      <CommitStateBadge state={status} />
      <span class="text-muted-foreground min-w-0 break-words">
        {'for '}
        <CommitId id={sha} addresses={code} />
        {ref !== '' && ` on ${ref}`}
      </span>
    </div>
  );
}
