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
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { RequestContext } from '../../spam/request-context.decorator.js';
import {
  SnippetNoteRef,
  SnippetNotesRef,
  type SnippetNoteReference,
  type SnippetNotesReference,
} from '../snippet.decorators.js';
import { SnippetNotesService } from '../snippet-notes.service.js';
import { SnippetsRepository } from '../snippets.repository.js';
import { SnippetDiscussions } from './snippet-discussions.service.js';
import { SnippetNoteFormPage, type SnippetNoteFormProps } from './snippet-note-form.page.js';
import { SnippetPages } from './snippet-pages.service.js';
import { projectPageContext, type SnippetPageContext } from './snippet-page-context.js';
import type { ActorContext } from '../../spam/request-context.decorator.js';

type Form = Record<string, unknown>;

/** Comments on the page of a project's snippet. */
@Controller(atRoot('*project_path/-/snippets/:snippet_id/notes'))
export class SnippetNotePagesController {
  constructor(
    private readonly pages: SnippetPages,
    private readonly repository: SnippetsRepository,
    private readonly notes: SnippetNotesService,
    private readonly discussions: SnippetDiscussions,
  ) {}

  /** Comments on a snippet, or shows its page again with what is wrong. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @SnippetNotesRef() { viewer, snippetId }: SnippetNotesReference,
    @RequestContext() { sender }: ActorContext,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const place = changeablePageContext(project, pageContext);
    const noted = await this.notes.of(viewer, project.id, snippetId);
    const body = bodyOf(form);
    try {
      assertBody(body);
      const { id } = await this.notes.create(noted, { project, sender }, { body });
      return pageContext.redirect(`${place.path}/${snippetId}#note_${id}`);
    } catch (error) {
      const refused = { body, errors: formErrors(error) };
      const snippet = await this.repository.findVisible(viewer, snippetId, project.id);
      const found = { project, snippet };
      const discussion = await this.discussions.of(pageContext, found, { paging, refused });
      return this.pages.show(pageContext, place, { snippet, discussion, status: 422 });
    }
  }

  /** Shows the form for changing a comment. */
  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @SnippetNoteRef() notePageContext: SnippetNoteReference,
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
    @SnippetNoteRef() notePageContext: SnippetNoteReference,
    @RequestContext() { sender }: ActorContext,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const props = await this.formProps(pageContext, project, notePageContext);
    const { viewer, snippetId, id } = notePageContext;
    const body = bodyOf(form);
    try {
      assertBody(body);
      const noted = await this.notes.of(viewer, project.id, snippetId);
      await this.notes.update(noted, notePageContext, { project, body, sender });
    } catch (error) {
      return showForm(pageContext, { ...props, body, errors: formErrors(error) });
    }
    const path = `${props.place.path}/${snippetId}#note_${id}`;
    return pageContext.redirect(path, { notice: 'Comment changed.' });
  }

  /** Deletes a comment. */
  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @SnippetNoteRef() notePageContext: SnippetNoteReference,
  ): Promise<HttpResponse> {
    const { place } = await this.formProps(pageContext, project, notePageContext);
    const { viewer, snippetId } = notePageContext;
    const noted = await this.notes.of(viewer, project.id, snippetId);
    await this.notes.delete(noted, notePageContext);
    return pageContext.redirect(`${place.path}/${snippetId}`, { notice: 'Comment deleted.' });
  }

  /** Throws 404 for invisible notes, 403 for those that the viewer cannot change. */
  private async formProps(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, snippetId, id }: SnippetNoteReference,
  ): Promise<Omit<SnippetNoteFormProps, 'csrfToken' | 'errors'>> {
    const place = changeablePageContext(project, pageContext);
    const noted = await this.notes.of(viewer, project.id, snippetId);
    const note = await this.notes.find(noted, id);
    assertMayEditNote(note, noted.reader);
    return { place, snippetId, noteId: id, body: note.body };
  }
}

function changeablePageContext(project: ProjectRow, { viewer }: PageContext): SnippetPageContext {
  if (!project.snippetsEnabled || project.archived) throw new NotFoundError();
  return projectPageContext(project, viewer);
}

/** Browsers send line breaks of text fields as CRLF (HTML standard). */
function bodyOf(form: Form): string {
  return given(form, 'body').replaceAll('\r\n', '\n');
}

function assertBody(body: string): void {
  const problem = noteBodyProblem(body);
  if (problem !== null) throw new ValidationFailedError({ body: [problem] });
}

function showForm(
  pageContext: PageContext,
  props: Omit<SnippetNoteFormProps, 'csrfToken'>,
): HttpResponse {
  const { place, errors } = props;
  const content = SnippetNoteFormPage({ ...props, csrfToken: pageContext.csrfToken });
  return pageContext.render(content, place.info('Edit comment'), errors === null ? 200 : 422);
}
