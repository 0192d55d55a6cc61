import { isDraft } from './drafts.js';
import type { MergeRequest, MergeStatus } from './merge-request.entity.js';
import type { DetailedMergeStatus } from './presented-merge-request.js';

/** Mergeability of a merge request, in both forms of v4. */
export interface Mergeability {
  mergeStatus: MergeStatus | 'checking';
  detailed: DetailedMergeStatus;
}

type Known = Pick<MergeRequest, 'state' | 'title' | 'mergeStatus'>;

const DETAILED: Record<MergeStatus | 'checking', DetailedMergeStatus> = {
  unchecked: 'unchecked',
  checking: 'checking',
  can_be_merged: 'mergeable',
  cannot_be_merged: 'conflict',
};

/** Returns the mergeability that is known without reading the repository. */
export function knownMergeability(row: Known): Mergeability {
  return mergeabilityOf(row, row.mergeStatus);
}

/** The same for a status that has just been found out; what keeps it open comes first. */
export function mergeabilityOf(
  { state, title }: Pick<Known, 'state' | 'title'>,
  mergeStatus: Mergeability['mergeStatus'],
): Mergeability {
  if (state !== 'opened') return { mergeStatus, detailed: 'not_open' };
  if (isDraft(title)) return { mergeStatus, detailed: 'draft_status' };
  return { mergeStatus, detailed: DETAILED[mergeStatus] };
}
