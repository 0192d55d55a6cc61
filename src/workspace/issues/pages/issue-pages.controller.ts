import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { FormInput, given, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { NoteableReference } from '../../notes/noteable.js';
import { NotesService } from '../../notes/notes.service.js';
import { NotePagesController, type NoteablePage } from '../../notes/pages/note-pages.controller.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssuableRef, type IssuableReference } from '../../spam/request-context.decorator.js';
import { IssueNotesService } from '../issue-notes.service.js';
import { UpdateIssueDto } from '../issue.dto.js';
import { SubscriptionsRepository } from '../../subscriptions/subscriptions.repository.js';
import { IssuesRepository } from '../issues.repository.js';
import { IssuesService } from '../issues.service.js';
import {
  issuePageContext,
  issuePageInfo,
  issuePath,
  mayDeleteHere,
  mayPlanHere,
} from './issue-page-context.js';
import { IssuePageRenderer } from './issue-page-renderer.service.js';
import { NamedAssignees } from './named-assignees.service.js';

type Form = Record<string, unknown>;

/** The page of an issue or incident, and its buttons. */
@Controller(atRoot('*project_path/-/issues'))
export class IssuePagesController {
  constructor(
    private readonly renderer: IssuePageRenderer,
    private readonly issues: IssuesRepository,
    private readonly service: IssuesService,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly people: NamedAssignees,
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
    return this.renderer.show(pageContext, project, { iid, paging });
  }

  @Post(':issue_iid/state')
  @ProjectPage('read_issue', 'signed_in')
  changeState(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const event = given(form, 'state_event') === 'reopen' ? 'reopen' : 'close';
    const notice = event === 'close' ? 'Closed.' : 'Reopened.';
    return this.update(pageContext, project, { reference, params: { state_event: event }, notice });
  }

  /** Adds the viewer to the assignees, or removes them. */
  @Post(':issue_iid/assign')
  @ProjectPage('read_issue', 'signed_in')
  async assign(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, reference.iid);
    if (!mayPlanHere(issuePageContext(project, pageContext), issue)) throw new NotFoundError();
    const isWanted = given(form, 'assigned') === 'true';
    const others = issue.assignees.map(({ id }) => id).filter((id) => id !== reference.viewer.id);
    const params = { assignee_ids: isWanted ? [...others, reference.viewer.id] : others };
    const notice = isWanted ? 'Assigned to you.' : 'No longer assigned to you.';
    return this.update(pageContext, project, { reference, params, notice });
  }

  /** Changes attributes of the side bar: those that the form has. */
  @Post(':issue_iid/attributes')
  @ProjectPage('read_issue', 'signed_in')
  async changeAttributes(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, reference.iid);
    if (!mayPlanHere(context, issue)) throw new NotFoundError();
    const path = issuePath(context, issue);
    try {
      const params = await this.people.attributesIn(form, ['assignees']);
      await this.service.update(project, await parseInput(UpdateIssueDto, params), reference);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path);
  }

  /** Subscribes or unsubscribes; also in archived projects. */
  @Post(':issue_iid/subscription')
  @ProjectPage('read_issue', 'signed_in')
  async setSubscription(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('issue_iid') { viewer, iid }: IssuableReference,
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    const { id, subscribed } = issue;
    const wanted = given(form, 'subscribed') === 'true';
    const change = { userId: viewer.id, thread: { kind: 'issue', id }, subscribed } as const;
    await this.subscriptions.choose(change, wanted);
    const notice = wanted ? 'Subscribed.' : 'Unsubscribed.';
    return pageContext.redirect(issuePath(context, issue), { notice });
  }

  /** Deletes an issue permanently. */
  @Post(':issue_iid/delete')
  @ProjectPage('delete_issue', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    if (!mayDeleteHere(context)) throw new NotFoundError();
    const { issueType } = await this.issues.findVisible(
      pageContext.viewer,
      project.id,
      reference.iid,
    );
    await this.service.delete(project, reference);
    const list = issueType === 'incident' ? context.incidents : context.issues;
    return pageContext.redirect(list, { notice: `Deleted #${reference.iid}.` });
  }

  private async update(
    pageContext: PageContext,
    project: ProjectRow,
    { reference, params, notice }: { reference: IssuableReference; params: Form; notice: string },
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    if (project.archived) throw new NotFoundError();
    await this.service.update(project, await parseInput(UpdateIssueDto, params), reference);
    const { viewer, iid } = reference;
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    return pageContext.redirect(issuePath(context, issue), { notice });
  }
}

/** Comments on the page of an issue. */
@Controller(atRoot('*project_path/-/issues/:issue_iid/notes'))
export class IssueNotePagesController extends NotePagesController {
  constructor(
    notes: NotesService,
    private readonly renderer: IssuePageRenderer,
    private readonly discussions: IssueNotesService,
  ) {
    super(notes);
  }

  protected async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    reference: NoteableReference,
  ): Promise<NoteablePage> {
    if (project.archived) throw new NotFoundError();
    const context = issuePageContext(project, pageContext);
    const { viewer, number: iid } = reference;
    const discussion = await this.discussions.of(viewer, project, iid);
    const { issue } = discussion;
    return {
      discussion,
      path: issuePath(context, issue),
      notesPath: `${context.issues}/${iid}/notes`,
      title: `Edit comment on #${iid}`,
      info: (title) => issuePageInfo(context, issue.issueType, title),
      create: (comment) => this.discussions.create(discussion, reference, comment),
      showAgain: (refused, paging) =>
        this.renderer.show(pageContext, project, { iid, paging, refused }),
    };
  }
}
