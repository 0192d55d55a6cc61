import { Controller, Get, Post } from '@nestjs/common';
import { ValidationFailedError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { assertMayEditNote } from '../../../workspace/notes/note-access.js';
import { noteBodyProblem } from '../../../workspace/notes/note-body.js';
import { anchorOf, noticeOf } from '../../../workspace/notes/pages/commented.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  MergeRequestRef,
  NoteRef,
  type MergeRequestReference,
  type MergeRequestNoteReference,
} from '../merge-request-ref.decorator.js';
import { MergeRequestNotesService } from '../merge-request-notes.service.js';
import { changeablePageContext, placeInfo } from './merge-request-page-context.js';
import { NoteFormPage, type NoteFormProps } from './note-form.page.js';
import { ShownMergeRequests } from './shown-merge-requests.service.js';
import {
  type ActorContext,
  RequestContext,
} from '../../../workspace/spam/request-context.decorator.js';

type Form = Record<string, unknown>;

/** Comments on the page of a merge request. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid/notes'))
export class MergeRequestNotePagesController {
  constructor(
    private readonly shown: ShownMergeRequests,
    private readonly notes: MergeRequestNotesService,
  ) {}

  /** Comments on a merge request, or shows its page again with what is wrong. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @MergeRequestRef() { viewer, iid }: MergeRequestReference,
    @RequestContext() { sender }: ActorContext,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const place = changeablePageContext(project, pageContext);
    const body = bodyOf(form);
    const internal = given(form, 'internal') === 'true';
    try {
      assertBody(body);
      const noted = await this.notes.of(viewer, project.id, iid);
      const made = await this.notes.create(noted, { project, sender }, { body, internal });
      return pageContext.redirect(`${place.path}/${iid}${anchorOf(made)}`, noticeOf(made));
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
    @NoteRef() change: MergeRequestNoteReference,
  ): Promise<HttpResponse> {
    return showForm(pageContext, {
      ...(await this.formProps(pageContext, project, change)),
      errors: null,
    });
  }

  /** Changes a comment, or shows the form again with what is wrong. */
  @Post(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NoteRef() change: MergeRequestNoteReference,
    @RequestContext() { sender }: ActorContext,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const props = await this.formProps(pageContext, project, change);
    const body = bodyOf(form);
    try {
      assertBody(body);
      const noted = await this.notes.of(change.viewer, project.id, change.iid);
      await this.notes.update(noted, change, { body, project, sender });
    } catch (error) {
      return showForm(pageContext, { ...props, body, errors: formErrors(error) });
    }
    const path = `${props.place.path}/${change.iid}`;
    return pageContext.redirect(`${path}#note_${change.id}`, { notice: 'Comment changed.' });
  }

  /** Deletes a comment. */
  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NoteRef() change: MergeRequestNoteReference,
  ): Promise<HttpResponse> {
    const place = changeablePageContext(project, pageContext);
    const noted = await this.notes.of(change.viewer, project.id, change.iid);
    await this.notes.delete(noted, change);
    return pageContext.redirect(`${place.path}/${change.iid}`, { notice: 'Comment deleted.' });
  }

  /** Throws 404 for invisible notes, 403 for those that the viewer cannot change. */
  private async formProps(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, iid, id }: MergeRequestNoteReference,
  ): Promise<Omit<NoteFormProps, 'csrfToken' | 'errors'>> {
    const place = changeablePageContext(project, pageContext);
    const noted = await this.notes.of(viewer, project.id, iid);
    const note = await this.notes.find(noted, id);
    assertMayEditNote(note, noted.reader);
    return { place, iid, noteId: id, body: note.body };
  }
}

/** Browsers send line breaks of text fields as CRLF (HTML standard). */
function bodyOf(form: Form): string {
  return given(form, 'body').replaceAll('\r\n', '\n');
}

function assertBody(body: string): void {
  const problem = noteBodyProblem(body);
  if (problem !== null) throw new ValidationFailedError({ body: [problem] });
}

function showForm(pageContext: PageContext, props: Omit<NoteFormProps, 'csrfToken'>): HttpResponse {
  const { place, iid, errors } = props;
  const content = NoteFormPage({ ...props, csrfToken: pageContext.csrfToken });
  const info = placeInfo(place, `Edit comment on !${iid}`);
  return pageContext.render(content, info, errors === null ? 200 : 422);
}
