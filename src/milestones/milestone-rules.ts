import { ForbiddenError, ValidationFailedError } from '../core/errors.js';
import type { ProjectRow } from '../projects/project-row.js';
import type { Milestone } from './milestone.entity.js';

const MAX_TITLE_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 1_048_576;

/** Whether the project has anything that could work towards a milestone. */
export function hasMilestones(project: ProjectRow): boolean {
  return project.issuesEnabled || project.mergeRequestsEnabled;
}

/** 403 for everyone in a project that has both issues and merge requests turned off. */
export function assertMilestonesEnabled(project: ProjectRow): void {
  if (!hasMilestones(project)) throw new ForbiddenError();
}

/** 403 also in an archived project, which is read-only for everyone. */
export function assertTakesMilestones(project: ProjectRow): void {
  assertMilestonesEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** 400 with messages per attribute for what a milestone cannot have (API doc, Errors 2). */
export function assertMilestone(
  milestone: Pick<Milestone, 'title' | 'description' | 'startDate' | 'dueDate'>,
): void {
  const { title, description, startDate, dueDate } = milestone;
  const messages = {
    ...(title === '' && { title: ["can't be blank"] }),
    ...(title.length > MAX_TITLE_LENGTH && { title: [tooLong(MAX_TITLE_LENGTH)] }),
    ...((description?.length ?? 0) > MAX_DESCRIPTION_LENGTH && {
      description: [tooLong(MAX_DESCRIPTION_LENGTH)],
    }),
    ...(startDate !== null &&
      dueDate !== null &&
      startDate > dueDate && { due_date: ['must not be before the start date'] }),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`;
}
