import { Controller, Post } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { FormInput, given } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueRef, type IssueReference } from '../issue-ref.decorator.js';
import { IssueSubscriptions } from '../issue-subscriptions.service.js';
import { IssuesRepository } from '../issues.repository.js';
import { issuePath, issuePlace } from './issue-place.js';

/** Subscribe button of the issue page. */
@Controller(atRoot('*project_path/-/issues/:issue_iid/subscription'))
export class IssueSubscriptionPagesController {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly subscriptions: IssueSubscriptions,
  ) {}

  /** Subscribes or unsubscribes; also in archived projects. */
  @Post()
  @ProjectPage('read_issue', 'signed_in')
  async set(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @IssueRef() { viewer, iid }: IssueReference,
  ): Promise<Answer> {
    const place = issuePlace(project, shell);
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    const wanted = given(form, 'subscribed') === 'true';
    await this.subscriptions.set({ viewer, projectId: project.id, iid }, wanted);
    const notice = wanted ? 'Subscribed.' : 'Unsubscribed.';
    return shell.redirect(issuePath(place, issue), { notice });
  }
}
