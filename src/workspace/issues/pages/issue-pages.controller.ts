import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { UpdateIssueDto } from '../issue.dto.js';
import { IssueRef, type IssueReference } from '../issue-ref.decorator.js';
import { IssueChangesService } from '../issue-changes.service.js';
import { IssuesRepository } from '../issues.repository.js';
import { issuePath, issuePageContext, mayDeleteHere, mayPlanHere } from './issue-page-context.js';
import { IssuePageRenderer } from './issue-page-renderer.service.js';

type Form = Record<string, unknown>;

/** The page of an issue or incident, and its buttons. */
@Controller(atRoot('*project_path/-/issues'))
export class IssuePagesController {
  constructor(
    private readonly views: IssuePageRenderer,
    private readonly issues: IssuesRepository,
    private readonly changes: IssueChangesService,
  ) {}

  /** Shows an issue or an incident; either address leads to both. */
  @Get([':issue_iid', 'incident/:issue_iid'])
  @ProjectPage('read_issue', 'anyone')
  show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.views.show(pageContext, project, { iid, paging });
  }

  /** Closes or reopens an issue. */
  @Post(':issue_iid/state')
  @ProjectPage('read_issue', 'signed_in')
  changeState(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssueRef() change: IssueReference,
  ): Promise<HttpResponse> {
    const event = given(form, 'state_event') === 'reopen' ? 'reopen' : 'close';
    const notice = event === 'close' ? 'Closed.' : 'Reopened.';
    return this.update(pageContext, project, { change, params: { state_event: event }, notice });
  }

  /** Adds the viewer to the assignees, or removes them. */
  @Post(':issue_iid/assign')
  @ProjectPage('read_issue', 'signed_in')
  async assign(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssueRef() change: IssueReference,
  ): Promise<HttpResponse> {
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayPlanHere(issuePageContext(project, pageContext), issue)) throw new NotFoundError();
    const isWanted = given(form, 'assigned') === 'true';
    const others = issue.assignees.map(({ id }) => id).filter((id) => id !== change.viewer.id);
    const params = { assignee_ids: isWanted ? [...others, change.viewer.id] : others };
    const notice = isWanted ? 'Assigned to you.' : 'No longer assigned to you.';
    return this.update(pageContext, project, { change, params, notice });
  }

  /** Deletes an issue permanently. */
  @Post(':issue_iid/delete')
  @ProjectPage('delete_issue', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IssueRef() change: IssueReference,
  ): Promise<HttpResponse> {
    const place = issuePageContext(project, pageContext);
    if (!mayDeleteHere(place)) throw new NotFoundError();
    const { issueType } = await this.issues.findVisible(pageContext.viewer, project.id, change.iid);
    await this.changes.delete(project, change);
    const list = issueType === 'incident' ? place.incidents : place.issues;
    return pageContext.redirect(list, { notice: `Deleted #${change.iid}.` });
  }

  private async update(
    pageContext: PageContext,
    project: ProjectRow,
    { change, params, notice }: { change: IssueReference; params: Form; notice: string },
  ): Promise<HttpResponse> {
    const place = issuePageContext(project, pageContext);
    if (project.archived) throw new NotFoundError();
    const dto = await parseInput(UpdateIssueDto, params);
    const issue = await this.changes.update({ project, dto, presentation: pageContext }, change);
    const path = issuePath(place, { iid: issue.iid, issueType: issue.issue_type });
    return pageContext.redirect(path, { notice });
  }
}
