import { Controller, Post } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueRef, type IssueReference } from '../issue-ref.decorator.js';
import { IssueSubscriptions } from '../issue-subscriptions.service.js';
import { IssuesRepository } from '../issues.repository.js';
import { issuePath, issuePageContext } from './issue-page-context.js';

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
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @IssueRef() { viewer, iid }: IssueReference,
  ): Promise<HttpResponse> {
    const place = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    const wanted = given(form, 'subscribed') === 'true';
    await this.subscriptions.set({ viewer, projectId: project.id, iid }, wanted);
    const notice = wanted ? 'Subscribed.' : 'Unsubscribed.';
    return pageContext.redirect(issuePath(place, issue), { notice });
  }
}
