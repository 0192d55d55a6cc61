import { Injectable } from '@nestjs/common';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { NotesRepository } from '../notes/notes.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender, Submission } from '../spam/submission.js';
import type { Issue } from './issue.entity.js';
import type { FoundIssue } from './sql/issue-columns.js';

/** Asks the spam check about changes of issues that others than the members of the project see. */
@Injectable()
export class IssueSpamCheck {
  constructor(
    private readonly spam: SpamCheck,
    private readonly notes: NotesRepository,
  ) {}

  /**
   * Throws 400 or 409 when the issue as it is to be is spam. `isDisclosed` = it was confidential, so
   * that its comments become visible, too.
   */
  async assertChangeIsClean(
    { project, issue }: { project: ProjectRow; issue: FoundIssue },
    sender: SpamSender,
    isDisclosed = false,
  ): Promise<void> {
    const submission = issueSubmission(issue, project);
    if (submission === null) return;
    const comments = isDisclosed ? await this.notes.findSuspectTexts('issue', issue.id) : [];
    await this.spam.assertClean({ ...submission, comments }, sender);
  }
}

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
