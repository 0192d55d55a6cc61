import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { Submission } from '../spam/submission.js';
import type { Issue } from './issue.entity.js';

/**
 * Returns an issue for the spam check; null for issues that only members of the project can see.
 */
export function issueSubmission(
  { title, description, confidential }: Pick<Issue, 'title' | 'description' | 'confidential'>,
  project: ProjectRow,
): Submission | null {
  if (confidential || project.visibility === VISIBILITY.private) return null;
  return { kind: 'issue', title, prose: description ?? '', files: [] };
}
