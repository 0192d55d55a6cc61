import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { Submission } from '../spam/submission.js';
import type { Issue } from './issue.entity.js';

/**
 * An issue as the spam check sees it; null when nobody but the members of the project sees the
 * issue: spam is written for others.
 */
export function issueSubmission(
  { title, description, confidential }: Pick<Issue, 'title' | 'description' | 'confidential'>,
  project: ProjectRow,
): Submission | null {
  if (confidential || project.visibility === VISIBILITY.private) return null;
  return { kind: 'issue', title, prose: description ?? '', files: [] };
}
