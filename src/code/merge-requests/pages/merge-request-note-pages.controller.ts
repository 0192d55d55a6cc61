import { Controller, Get, Post } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { assertSentBody, sentBody } from '../../../workspace/notes/pages/note-form.js';
import {
  anchorOf,
  NotePages,
  noticeOf,
  type NoteablePage,
} from '../../../workspace/notes/pages/note-pages.service.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../../workspace/spam/request-context.decorator.js';
import { MergeRequestNotesService } from '../merge-request-notes.service.js';
import { changeablePageContext, mergeRequestPageInfo } from './merge-request-page-context.js';
import { MergeRequestPageRenderer } from './merge-request-page-renderer.service.js';

type Form = Record<string, unknown>;

/** Comments on the page of a merge request. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid/notes'))
export class MergeRequestNotePagesController {
  constructor(
    private readonly shown: MergeRequestPageRenderer,
    private readonly discussions: MergeRequestNotesService,
    private readonly pages: NotePages,
  ) {}

  /** Comments on a merge request, or shows its page again with the errors. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') { viewer, iid, sender }: IssuableReference,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { path } = changeablePageContext(project, pageContext);
    const body = sentBody(form);
    const internal = given(form, 'internal') === 'true';
    try {
      assertSentBody(body);
      const discussion = await this.discussions.of(viewer, project, iid);
      const comment = await this.discussions.create(discussion, sender, { body, internal });
      return pageContext.redirect(`${path}/${iid}${anchorOf(comment)}`, noticeOf(comment));
    } catch (error) {
      const comment = { body, internal, errors: formErrors(error) };
      return this.shown.show(pageContext, project, { iid, paging, refused: { comment } });
    }
  }

  /** Shows the form for changing a comment. */
  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('merge_request_iid') reference: IssuableReference,
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
    @IssuableRef('merge_request_iid') reference: IssuableReference,
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
    @IssuableRef('merge_request_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    return this.pages.delete(page, { ...reference, id });
  }

  private async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, iid }: IssuableReference,
  ): Promise<NoteablePage> {
    const context = changeablePageContext(project, pageContext);
    const path = `${context.path}/${iid}`;
    return {
      pageContext,
      discussion: await this.discussions.of(viewer, project, iid),
      path,
      notesPath: `${path}/notes`,
      title: `Edit comment on !${iid}`,
      info: (title) => mergeRequestPageInfo(context, title),
    };
  }
}
