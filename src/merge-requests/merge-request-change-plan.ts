import { changedLabels } from '../issues/issue-labels.js';
import type { UpdateMergeRequestDto } from './merge-request.dto.js';
import type { MergeRequest } from './merge-request.entity.js';

/** What people write and set of a merge request; its branches, people and milestone come apart. */
export type MergeRequestAttributes = Pick<
  MergeRequest,
  'title' | 'description' | 'labels' | 'removeSourceBranch' | 'discussionLocked'
>;

/**
 * What differs after the request from `before`. Who may not administer it changes its texts only:
 * the rest is dropped, as v4 does. Throws 400 for labels that are too long or too many.
 */
export function changedAttributes(
  before: MergeRequestAttributes,
  dto: UpdateMergeRequestDto,
  mayAdminister: boolean,
): Partial<MergeRequestAttributes> {
  const { title, description } = dto;
  return {
    ...(title && title !== before.title && { title }),
    ...(description !== undefined && description !== before.description && { description }),
    ...(mayAdminister && changedPlan(before, dto)),
  };
}

function changedPlan(
  before: MergeRequestAttributes,
  dto: UpdateMergeRequestDto,
): Partial<MergeRequestAttributes> {
  const { discussion_locked: isLocked, remove_source_branch: isRemoved } = dto;
  const labels = changedLabels(before.labels, dto);
  const isLockChanged = typeof isLocked === 'boolean' && isLocked !== before.discussionLocked;
  const isRemovalChanged =
    typeof isRemoved === 'boolean' && isRemoved !== before.removeSourceBranch;
  return {
    ...(labels.join() !== before.labels.join() && { labels }),
    ...(isLockChanged && { discussionLocked: isLocked }),
    ...(isRemovalChanged && { removeSourceBranch: isRemoved }),
  };
}
