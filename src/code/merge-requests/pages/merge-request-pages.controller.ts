import { Controller, Get, Logger, Post } from '@nestjs/common';
import { ForbiddenError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, FormInput, given, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { NamedAssignees } from '../../../workspace/issues/pages/named-assignees.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../../workspace/spam/request-context.decorator.js';
import { draftTitle, readyTitle } from '../drafts.js';
import { UpdateMergeRequestDto } from '../merge-request.dto.js';
import { MergeRequestContents } from '../merge-request-contents.service.js';
import { SubscriptionsRepository } from '../../../workspace/subscriptions/subscriptions.repository.js';
import { orNull } from '../merge-request-details.service.js';
import { MergeRequestsService } from '../merge-requests.service.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';
import { MergeBox } from './merge-box.js';
import { CommitsPage, DiffsPage } from './merge-request-contents.page.js';
import {
  changeablePageContext,
  mayChangeHere,
  mayDeleteHere,
  mayPlanHere,
  mergeRequestPageContext,
  mergeRequestPageInfo,
  type MergeRequestPageContext,
} from './merge-request-page-context.js';
import { MergeRequestPageRenderer } from './merge-request-page-renderer.service.js';

type Form = Record<string, unknown>;

/** Action of a button, and its success message. */
interface Deed {
  change: IssuableReference;
  params: Form;
  notice: string;
  paging: Paging;
}

/** The page of a merge request, and its buttons. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid'))
export class MergeRequestPagesController {
  private readonly logger = new Logger(MergeRequestPagesController.name);

  constructor(
    private readonly shown: MergeRequestPageRenderer,
    private readonly repository: MergeRequestsRepository,
    private readonly requests: MergeRequestsService,
    private readonly contents: MergeRequestContents,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly users: NamedAssignees,
  ) {}

  @Get()
  @ProjectPage('read_merge_request', 'anyone')
  show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.shown.show(pageContext, project, { iid, paging });
  }

  /** Shows the mergeability part of that page. */
  @Get('merge_box')
  @ProjectPage('read_merge_request', 'anyone')
  async mergeBox(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
  ): Promise<HttpResponse> {
    const found = await this.shown.look(pageContext, project, iid);
    return pageContext.fragment(
      MergeBox({ ...found, csrfToken: pageContext.csrfToken, refused: null }),
    );
  }

  /** Lists the commits, newest first. */
  @Get('commits')
  @ProjectPage('read_merge_request', 'anyone')
  async commits(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const found = await this.find(pageContext, project, iid);
    const reading = this.contents.countedCommits(project, found.row, paging);
    const { commits = null, counts = null } = (await orNull(reading, this.logger)) ?? {};
    const { csrfToken } = pageContext;
    const content = CommitsPage({ ...found, csrfToken, commits, counts, paging });
    return pageContext.render(content, mergeRequestPageInfo(found.context, `Commits of !${iid}`));
  }

  /** Shows what the merge request changes in files. */
  @Get('diffs')
  @ProjectPage('read_merge_request', 'anyone')
  async diffs(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
  ): Promise<HttpResponse> {
    const found = await this.find(pageContext, project, iid);
    const reading = this.contents.countedDiffs(project, found.row);
    const { diff = null, counts = null } = (await orNull(reading, this.logger)) ?? {};
    const content = DiffsPage({ ...found, csrfToken: pageContext.csrfToken, diff, counts });
    return pageContext.render(content, mergeRequestPageInfo(found.context, `Changes of !${iid}`));
  }

  @Post('state')
  @ProjectPage('read_merge_request', 'signed_in')
  changeState(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const event = given(form, 'state_event') === 'reopen' ? 'reopen' : 'close';
    const notice = event === 'close' ? 'Closed.' : 'Reopened.';
    const params = { state_event: event };
    return this.update(pageContext, project, { change, params, notice, paging });
  }

  /** Changes attributes of the side bar: those that the form has. */
  @Post('attributes')
  @ProjectPage('read_merge_request', 'signed_in')
  async changeAttributes(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('merge_request_iid') change: IssuableReference,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayPlanHere(context, row)) throw new NotFoundError();
    const path = `${context.path}/${change.iid}`;
    try {
      const params = await this.users.attributesIn(form, ['assignees', 'reviewers']);
      const dto = await parseInput(UpdateMergeRequestDto, params);
      await this.requests.update({ project, dto }, change);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path);
  }

  /** Marks a merge request as draft or as ready. */
  @Post('draft')
  @ProjectPage('read_merge_request', 'signed_in')
  async changeDraft(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const isDraft = given(form, 'draft') === 'true';
    const { title } = await this.repository.findVisible(pageContext.viewer, project.id, change.iid);
    const params = { title: isDraft ? draftTitle(title) : readyTitle(title) };
    const notice = isDraft ? 'Marked as draft.' : 'Marked as ready.';
    return this.update(pageContext, project, { change, params, notice, paging });
  }

  /** Subscribes or unsubscribes; also in archived projects. */
  @Post('subscription')
  @ProjectPage('read_merge_request', 'signed_in')
  async subscribe(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('merge_request_iid') { viewer, iid }: IssuableReference,
  ): Promise<HttpResponse> {
    const { path } = mergeRequestPageContext(project, pageContext);
    const wanted = given(form, 'subscribed') === 'true';
    const { id, subscribed } = await this.repository.findVisible(viewer, project.id, iid);
    const change = {
      userId: viewer.id,
      thread: { kind: 'merge_request', id },
      subscribed,
    } as const;
    await this.subscriptions.choose(change, wanted);
    return pageContext.redirect(`${path}/${iid}`, {
      notice: wanted ? 'Subscribed.' : 'Unsubscribed.',
    });
  }

  /** Deletes a merge request permanently; its branches are kept. */
  @Post('delete')
  @ProjectPage('own_project', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') change: IssuableReference,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    if (!mayDeleteHere(context)) throw new NotFoundError();
    await this.requests.delete(project, change);
    return pageContext.redirect(context.path, { notice: `Deleted !${change.iid}.` });
  }

  /** Shows the page again with what stands against it. */
  private async update(
    pageContext: PageContext,
    project: ProjectRow,
    deed: Deed,
  ): Promise<HttpResponse> {
    const { change, params, notice, paging } = deed;
    const context = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayChangeHere(context, row)) throw new ForbiddenError();
    try {
      const dto = await parseInput(UpdateMergeRequestDto, params);
      await this.requests.update({ project, dto }, change);
    } catch (error) {
      const refused = { errors: formErrors(error) };
      return this.shown.show(pageContext, project, { iid: change.iid, paging, refused });
    }
    return pageContext.redirect(`${context.path}/${change.iid}`, { notice });
  }

  private async find(
    pageContext: PageContext,
    project: ProjectRow,
    iid: number,
  ): Promise<{ context: MergeRequestPageContext; row: FoundMergeRequest }> {
    const context = mergeRequestPageContext(project, pageContext);
    return { context, row: await this.repository.findVisible(pageContext.viewer, project.id, iid) };
  }
}
