import { ForbiddenError } from '../core/errors.js';
import type { UpdateIssueDto } from './issue.dto.js';
import { changedLabels } from './issue-labels.js';
import type { IssueAttributes } from './sql/issue-columns.js';

/**
 * Returns the attributes of the request that differ from `before`. Users who cannot administer the
 * issue change its texts only: other attributes are dropped, as v4 does, except confidentiality,
 * which is 403. Throws 400 for labels that are too long or too many.
 */
export function changedAttributes(
  before: IssueAttributes,
  dto: UpdateIssueDto,
  mayAdminister: boolean,
): Partial<IssueAttributes> {
  const isShown = typeof dto.confidential === 'boolean' && dto.confidential !== before.confidential;
  if (isShown && !mayAdminister) throw new ForbiddenError();
  return {
    ...changedTexts(before, dto),
    ...(mayAdminister && changedPlan(before, dto)),
    ...(isShown && { confidential: dto.confidential === true }),
  };
}

/** null clears the description and keeps the title. */
function changedTexts(before: IssueAttributes, dto: UpdateIssueDto): Partial<IssueAttributes> {
  const { title, description } = dto;
  return {
    ...(title && title !== before.title && { title }),
    ...(description !== undefined && description !== before.description && { description }),
  };
}

function changedPlan(before: IssueAttributes, dto: UpdateIssueDto): Partial<IssueAttributes> {
  const { due_date: dueDate, discussion_locked: isLocked, issue_type: type } = dto;
  const labels = changedLabels(before.labels, dto);
  const isLockChanged = typeof isLocked === 'boolean' && isLocked !== before.discussionLocked;
  return {
    ...(labels.join() !== before.labels.join() && { labels }),
    ...(dueDate !== undefined && dueDate !== before.dueDate && { dueDate }),
    ...(isLockChanged && { discussionLocked: isLocked }),
    ...(type && type !== before.issueType && { issueType: type }),
    ...(type === 'issue' && before.severity !== 'unknown' && { severity: 'unknown' }),
  };
}
