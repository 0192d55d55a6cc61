import { Get, Post } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { assertMayEditNote, type Discussion } from '../note-access.js';
import type { CreateNoteDto } from '../note.dto.js';
import { NoteableRef, type NoteableReference } from '../noteable.js';
import type { NotesService } from '../notes.service.js';
import type { Commented } from '../quick-actions.js';
import { assertSentBody, NoteForm, sentBody, type RefusedComment } from './note-form.js';

/** The page of a noteable, as far as its comments differ from those of other kinds. */
export interface NoteablePage {
  discussion: Discussion;
  /** Address of the page. */
  path: string;
  /** Addresses of its notes begin with it. */
  notesPath: string;
  /** Title of the form for changing a comment. */
  title: string;
  info(title: string): PageInfo;
  create(comment: CreateNoteDto): Promise<Commented<{ id: number }>>;
  /** Shows the page again with a rejected comment. */
  showAgain(refused: RefusedComment, paging: Paging): Promise<HttpResponse>;
}

type Form = Record<string, unknown>;

/** Comments on the page of a noteable: each kind has a controller with its address and its page. */
export abstract class NotePagesController {
  constructor(private readonly notes: NotesService) {}

  /** Throws 404 for a noteable that the viewer cannot see or comment on now. */
  protected abstract pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    reference: NoteableReference,
  ): Promise<NoteablePage>;

  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @NoteableRef() reference: NoteableReference,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    const comment = { body: sentBody(form), internal: given(form, 'internal') === 'true' };
    try {
      assertSentBody(comment.body);
      const { note, commands } = await page.create(comment);
      const anchor = note === null ? '' : `#note_${note.id}`;
      const notice = commands.summary.length === 0 ? {} : { notice: commands.summary.join(' ') };
      return pageContext.redirect(page.path + anchor, notice);
    } catch (error) {
      return page.showAgain({ ...comment, errors: formErrors(error) }, paging);
    }
  }

  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @NoteableRef() reference: NoteableReference,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    return showForm(pageContext, page, { id, body: await this.bodyOf(page, id), errors: null });
  }

  @Post(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @NoteableRef() reference: NoteableReference,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    await this.bodyOf(page, id);
    const body = sentBody(form);
    try {
      assertSentBody(body);
      await this.notes.update(page.discussion, { ...reference, id }, body);
    } catch (error) {
      return showForm(pageContext, page, { id, body, errors: formErrors(error) });
    }
    return pageContext.redirect(`${page.path}#note_${id}`, { notice: 'Comment changed.' });
  }

  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @NoteableRef() reference: NoteableReference,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    await this.notes.delete(page.discussion, { ...reference, id });
    return pageContext.redirect(page.path, { notice: 'Comment deleted.' });
  }

  /** Throws 404 for invisible notes, 403 for those that the viewer cannot change. */
  private async bodyOf({ discussion }: NoteablePage, id: number): Promise<string> {
    const note = await this.notes.find(discussion, id);
    assertMayEditNote(note, discussion.reader);
    return note.body;
  }
}

function showForm(
  pageContext: PageContext,
  { path, notesPath, title, info }: NoteablePage,
  { id, body, errors }: { id: number; body: string; errors: FormProblems | null },
): HttpResponse {
  const action = `${notesPath}/${id}/edit`;
  const { csrfToken } = pageContext;
  const form = NoteForm({ title, csrfToken, action, back: path, body, errors });
  return pageContext.render(form, info(title), errors === null ? 200 : 422);
}
