import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError, ValidationFailedError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { assertMayEditNote } from '../../notes/note-access.js';
import { noteBodyProblem } from '../../notes/note-body.js';
import { anchorOf, noticeOf } from '../../notes/pages/commented.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  NoteRef,
  NotesRef,
  type NoteReference,
  type NotesReference,
} from '../issue-ref.decorator.js';
import { IssueNotesService } from '../issue-notes.service.js';
import { IssuesRepository } from '../issues.repository.js';
import { issuePath, issuePageContext, placeInfo } from './issue-page-context.js';
import { IssuePageRenderer } from './issue-page-renderer.service.js';
import { NoteFormPage, type NoteFormProps } from './note-form.page.js';

type Form = Record<string, unknown>;

/** Comments on the page of an issue. */
@Controller(atRoot('*project_path/-/issues/:issue_iid/notes'))
export class IssueNotePagesController {
  constructor(
    private readonly views: IssuePageRenderer,
    private readonly issues: IssuesRepository,
    private readonly notes: IssueNotesService,
  ) {}

  /** Comments on an issue, or shows its page again with what is wrong. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NotesRef() change: NotesReference,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const place = changeablePageContext(project, pageContext);
    const { viewer, iid } = change;
    const body = bodyOf(form);
    const internal = given(form, 'internal') === 'true';
    try {
      assertBody(body);
      const noted = await this.notes.of(viewer, project.id, iid);
      const made = await this.notes.create(noted, { project, change }, { body, internal });
      const issue = await this.issues.findVisible(viewer, project.id, iid);
      return pageContext.redirect(issuePath(place, issue) + anchorOf(made), noticeOf(made));
    } catch (error) {
      const refused = { body, internal, errors: formErrors(error) };
      return this.views.show(pageContext, project, { iid, paging, refused });
    }
  }

  /** Shows the form for changing a comment. */
  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NoteRef() notePageContext: NoteReference,
  ): Promise<HttpResponse> {
    return showForm(pageContext, {
      ...(await this.formProps(pageContext, project, notePageContext)),
      errors: null,
    });
  }

  /** Changes a comment, or shows the form again with what is wrong. */
  @Post(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NoteRef() notePageContext: NoteReference,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const props = await this.formProps(pageContext, project, notePageContext);
    const body = bodyOf(form);
    try {
      assertBody(body);
      const noted = await this.notes.of(notePageContext.viewer, project.id, notePageContext.iid);
      await this.notes.update(noted, { project, change: notePageContext }, body);
    } catch (error) {
      return showForm(pageContext, { ...props, body, errors: formErrors(error) });
    }
    const path = issuePath(props.place, props.issue);
    return pageContext.redirect(`${path}#note_${notePageContext.id}`, {
      notice: 'Comment changed.',
    });
  }

  /** Deletes a comment. */
  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NoteRef() notePageContext: NoteReference,
  ): Promise<HttpResponse> {
    const { place, issue } = await this.formProps(pageContext, project, notePageContext);
    const noted = await this.notes.of(notePageContext.viewer, project.id, notePageContext.iid);
    await this.notes.delete(noted, notePageContext);
    return pageContext.redirect(issuePath(place, issue), { notice: 'Comment deleted.' });
  }

  /** Throws 404 for invisible notes, 403 for those that the viewer cannot change. */
  private async formProps(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, iid, id }: NoteReference,
  ): Promise<Omit<NoteFormProps, 'csrfToken' | 'errors'>> {
    const place = changeablePageContext(project, pageContext);
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    const noted = await this.notes.of(viewer, project.id, iid);
    const note = await this.notes.find(noted, id);
    assertMayEditNote(note, noted.reader);
    return { place, issue, noteId: id, body: note.body };
  }
}

function changeablePageContext(
  project: ProjectRow,
  pageContext: PageContext,
): ReturnType<typeof issuePageContext> {
  if (project.archived) throw new NotFoundError();
  return issuePageContext(project, pageContext);
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
  const { place, issue, errors } = props;
  const info = placeInfo(place, issue.issueType, `Edit comment on #${issue.iid}`);
  const content = NoteFormPage({ ...props, csrfToken: pageContext.csrfToken });
  return pageContext.render(content, info, errors === null ? 200 : 422);
}
