import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { FormInput, given } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { UpdateIssueDto } from '../issue.dto.js';
import { IssueRef, type IssueReference } from '../issue-ref.decorator.js';
import { IssueChangesService } from '../issue-changes.service.js';
import { IssuesRepository } from '../issues.repository.js';
import { issuePath, issuePlace, mayDeleteHere, mayPlanHere } from './issue-place.js';
import { IssueViews } from './issue-views.service.js';

type Form = Record<string, unknown>;

/** The page of an issue or incident, and its buttons. */
@Controller(atRoot('*project_path/-/issues'))
export class IssuePagesController {
  constructor(
    private readonly views: IssueViews,
    private readonly issues: IssuesRepository,
    private readonly changes: IssueChangesService,
  ) {}

  /** Shows an issue or an incident; either address leads to both. */
  @Get([':issue_iid', 'incident/:issue_iid'])
  @ProjectPage('read_issue', 'anyone')
  show(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.views.show(shell, project, { iid, paging });
  }

  /** Closes or reopens an issue. */
  @Post(':issue_iid/state')
  @ProjectPage('read_issue', 'signed_in')
  changeState(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssueRef() change: IssueReference,
  ): Promise<Answer> {
    const event = given(form, 'state_event') === 'reopen' ? 'reopen' : 'close';
    const notice = event === 'close' ? 'Closed.' : 'Reopened.';
    return this.update(shell, project, { change, params: { state_event: event }, notice });
  }

  /** Adds the viewer to the assignees, or removes them. */
  @Post(':issue_iid/assign')
  @ProjectPage('read_issue', 'signed_in')
  async assign(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssueRef() change: IssueReference,
  ): Promise<Answer> {
    const issue = await this.issues.findVisible(shell.viewer, project.id, change.iid);
    if (!mayPlanHere(issuePlace(project, shell), issue)) throw new NotFoundError();
    const isWanted = given(form, 'assigned') === 'true';
    const others = issue.assignees.map(({ id }) => id).filter((id) => id !== change.viewer.id);
    const params = { assignee_ids: isWanted ? [...others, change.viewer.id] : others };
    const notice = isWanted ? 'Assigned to you.' : 'No longer assigned to you.';
    return this.update(shell, project, { change, params, notice });
  }

  /** Deletes an issue permanently. */
  @Post(':issue_iid/delete')
  @ProjectPage('delete_issue', 'signed_in')
  async delete(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IssueRef() change: IssueReference,
  ): Promise<Answer> {
    const place = issuePlace(project, shell);
    if (!mayDeleteHere(place)) throw new NotFoundError();
    const { issueType } = await this.issues.findVisible(shell.viewer, project.id, change.iid);
    await this.changes.delete(project, change);
    const list = issueType === 'incident' ? place.incidents : place.issues;
    return shell.redirect(list, { notice: `Deleted #${change.iid}.` });
  }

  private async update(
    shell: PageShell,
    project: ProjectRow,
    { change, params, notice }: { change: IssueReference; params: Form; notice: string },
  ): Promise<Answer> {
    const place = issuePlace(project, shell);
    if (project.archived) throw new NotFoundError();
    const dto = await parseInput(UpdateIssueDto, params);
    const issue = await this.changes.update({ project, dto, presentation: shell }, change);
    const path = issuePath(place, { iid: issue.iid, issueType: issue.issue_type });
    return shell.redirect(path, { notice });
  }
}
