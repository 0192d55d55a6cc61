import { changedLabels } from '../issues/issue-labels.js';
import type { UpdateMergeRequestDto } from './merge-request.dto.js';
import type { MergeRequest } from './merge-request.entity.js';

/**
 * Attributes of a merge request that users write; its branches, users and milestone are separate.
 */
export type MergeRequestAttributes = Pick<
  MergeRequest,
  'title' | 'description' | 'labels' | 'removeSourceBranch' | 'discussionLocked'
>;

/**
 * Returns the attributes of the request that differ from `before`. Users who cannot administer the
 * merge request change its texts only: other attributes are dropped, as v4 does. Throws 400 for
 * labels that are too long or too many.
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
