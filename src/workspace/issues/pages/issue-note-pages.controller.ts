import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { assertSentBody, sentBody } from '../../notes/pages/note-form.js';
import {
  anchorOf,
  NotePages,
  noticeOf,
  type NoteablePage,
} from '../../notes/pages/note-pages.service.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssuableRef, type IssuableReference } from '../../spam/request-context.decorator.js';
import { IssueNotesService } from '../issue-notes.service.js';
import { issuePageContext, issuePageInfo, issuePath } from './issue-page-context.js';
import { IssuePageRenderer } from './issue-page-renderer.service.js';

type Form = Record<string, unknown>;

/** Comments on the page of an issue. */
@Controller(atRoot('*project_path/-/issues/:issue_iid/notes'))
export class IssueNotePagesController {
  constructor(
    private readonly renderer: IssuePageRenderer,
    private readonly discussions: IssueNotesService,
    private readonly pages: NotePages,
  ) {}

  /** Comments on an issue, or shows its page again with the errors. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = changeableContext(project, pageContext);
    const { viewer, iid } = reference;
    const body = sentBody(form);
    const internal = given(form, 'internal') === 'true';
    try {
      assertSentBody(body);
      const discussion = await this.discussions.of(viewer, project, iid);
      const comment = await this.discussions.create(discussion, reference, { body, internal });
      const path = issuePath(context, discussion.issue) + anchorOf(comment);
      return pageContext.redirect(path, noticeOf(comment));
    } catch (error) {
      const refused = { body, internal, errors: formErrors(error) };
      return this.renderer.show(pageContext, project, { iid, paging, refused });
    }
  }

  /** Shows the form for changing a comment. */
  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    return this.pages.editForm(await this.pageOf(pageContext, project, reference), id);
  }

  /** Changes a comment, or shows the form again with the errors. */
  @Post(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    return this.pages.update(page, { ...reference, id }, form);
  }

  /** Deletes a comment. */
  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    return this.pages.delete(page, { ...reference, id });
  }

  private async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, iid }: IssuableReference,
  ): Promise<NoteablePage> {
    const context = changeableContext(project, pageContext);
    const discussion = await this.discussions.of(viewer, project, iid);
    const { issueType } = discussion.issue;
    return {
      pageContext,
      discussion,
      path: issuePath(context, discussion.issue),
      notesPath: `${context.issues}/${iid}/notes`,
      title: `Edit comment on #${iid}`,
      info: (title) => issuePageInfo(context, issueType, title),
    };
  }
}

function changeableContext(
  project: ProjectRow,
  pageContext: PageContext,
): ReturnType<typeof issuePageContext> {
  if (project.archived) throw new NotFoundError();
  return issuePageContext(project, pageContext);
}
