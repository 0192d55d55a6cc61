import { Injectable } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { FlashMessages, PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { assertMayEditNote, type Discussion } from '../note-access.js';
import { NotesService, type NoteChange } from '../notes.service.js';
import type { Commented } from '../quick-actions.js';
import { assertSentBody, NoteForm, sentBody } from './note-form.js';

/** The page of a noteable, to which the form of a note belongs. */
export interface NoteablePage {
  pageContext: PageContext;
  discussion: Discussion;
  /** Address of the page. */
  path: string;
  /** Addresses of its notes begin with it. */
  notesPath: string;
  /** Title of the form. */
  title: string;
  info(title: string): PageInfo;
}

/** Forms and buttons for changing comments, for all noteables. */
@Injectable()
export class NotePages {
  constructor(private readonly notes: NotesService) {}

  /** Throws 404 for invisible notes, 403 for those that the viewer cannot change. */
  async editForm(page: NoteablePage, id: number): Promise<HttpResponse> {
    return showForm(page, id, { body: await this.bodyOf(page, id), errors: null });
  }

  /** Changes a comment, or shows the form again with its errors. */
  async update(
    page: NoteablePage,
    change: NoteChange,
    form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    await this.bodyOf(page, change.id);
    const body = sentBody(form);
    try {
      assertSentBody(body);
      await this.notes.update(page.discussion, change, body);
    } catch (error) {
      return showForm(page, change.id, { body, errors: formErrors(error) });
    }
    const path = `${page.path}#note_${change.id}`;
    return page.pageContext.redirect(path, { notice: 'Comment changed.' });
  }

  /** Deletes a comment. */
  async delete(page: NoteablePage, change: Omit<NoteChange, 'sender'>): Promise<HttpResponse> {
    await this.notes.delete(page.discussion, change);
    return page.pageContext.redirect(page.path, { notice: 'Comment deleted.' });
  }

  private async bodyOf({ discussion }: NoteablePage, id: number): Promise<string> {
    const note = await this.notes.find(discussion, id);
    assertMayEditNote(note, discussion.reader);
    return note.body;
  }
}

function showForm(
  { pageContext, path, notesPath, title, info }: NoteablePage,
  id: number,
  { body, errors }: { body: string; errors: FormProblems | null },
): HttpResponse {
  const { csrfToken } = pageContext;
  const action = `${notesPath}/${id}/edit`;
  const form = NoteForm({ title, csrfToken, action, back: path, body, errors });
  return pageContext.render(form, info(title), errors === null ? 200 : 422);
}

/** Returns the part of an address that shows the new note; empty if there is none. */
export function anchorOf({ note }: Commented<{ id: number }>): string {
  return note === null ? '' : `#note_${note.id}`;
}

/** Returns the flash message about the commands of a comment. */
export function noticeOf({ commands }: Commented<unknown>): FlashMessages {
  return commands.summary.length === 0 ? {} : { notice: commands.summary.join(' ') };
}
