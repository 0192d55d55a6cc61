import { ForbiddenError } from '../core/errors.js';
import type { ProjectRow } from '../projects/project-row.js';

/** 403 for everyone in a project that has snippets turned off. */
export function assertSnippetsEnabled(project: ProjectRow): void {
  if (!project.snippetsEnabled) throw new ForbiddenError();
}

/** 403 also in an archived project, which is read-only for everyone. */
export function assertTakesSnippets(project: ProjectRow): void {
  assertSnippetsEnabled(project);
  if (project.archived) throw new ForbiddenError();
}
