import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { formErrors } from '../../core/ui/form-errors.js';
import { FormInput, given } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
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
import { issuePath, issuePlace, placeInfo } from './issue-place.js';
import { IssueViews } from './issue-views.service.js';
import { NoteFormPage, type NoteFormProps } from './note-form.page.js';

type Form = Record<string, unknown>;

/** Comments on the page of an issue. */
@Controller(atRoot('*project_path/-/issues/:issue_iid/notes'))
export class IssueNotePagesController {
  constructor(
    private readonly views: IssueViews,
    private readonly issues: IssuesRepository,
    private readonly notes: IssueNotesService,
  ) {}

  /** Comments on an issue, or shows its page again with what is wrong. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @NotesRef() change: NotesReference,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const place = changeablePlace(project, shell);
    const { viewer, iid } = change;
    const body = bodyOf(form);
    const internal = given(form, 'internal') === 'true';
    try {
      assertBody(body);
      const noted = await this.notes.of(viewer, project.id, iid);
      const made = await this.notes.create(noted, { project, change }, { body, internal });
      const issue = await this.issues.findVisible(viewer, project.id, iid);
      return shell.redirect(issuePath(place, issue) + anchorOf(made), noticeOf(made));
    } catch (error) {
      const refused = { body, internal, errors: formErrors(error) };
      return this.views.show(shell, project, { iid, paging, refused });
    }
  }

  /** Shows the form for changing a comment. */
  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @NoteRef() notePlace: NoteReference,
  ): Promise<Answer> {
    return showForm(shell, { ...(await this.formProps(shell, project, notePlace)), errors: null });
  }

  /** Changes a comment, or shows the form again with what is wrong. */
  @Post(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async update(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @NoteRef() notePlace: NoteReference,
    @FormInput() form: Form,
  ): Promise<Answer> {
    const props = await this.formProps(shell, project, notePlace);
    const body = bodyOf(form);
    try {
      assertBody(body);
      const noted = await this.notes.of(notePlace.viewer, project.id, notePlace.iid);
      await this.notes.update(noted, { project, change: notePlace }, body);
    } catch (error) {
      return showForm(shell, { ...props, body, errors: formErrors(error) });
    }
    const path = issuePath(props.place, props.issue);
    return shell.redirect(`${path}#note_${notePlace.id}`, { notice: 'Comment changed.' });
  }

  /** Deletes a comment. */
  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @NoteRef() notePlace: NoteReference,
  ): Promise<Answer> {
    const { place, issue } = await this.formProps(shell, project, notePlace);
    const noted = await this.notes.of(notePlace.viewer, project.id, notePlace.iid);
    await this.notes.delete(noted, notePlace);
    return shell.redirect(issuePath(place, issue), { notice: 'Comment deleted.' });
  }

  /** Throws 404 for invisible notes, 403 for those that the viewer cannot change. */
  private async formProps(
    shell: PageShell,
    project: ProjectRow,
    { viewer, iid, id }: NoteReference,
  ): Promise<Omit<NoteFormProps, 'csrfToken' | 'errors'>> {
    const place = changeablePlace(project, shell);
    const issue = await this.issues.findVisible(viewer, project.id, iid);
    const noted = await this.notes.of(viewer, project.id, iid);
    const note = await this.notes.find(noted, id);
    assertMayEditNote(note, noted.reader);
    return { place, issue, noteId: id, body: note.body };
  }
}

function changeablePlace(project: ProjectRow, shell: PageShell): ReturnType<typeof issuePlace> {
  if (project.archived) throw new NotFoundError();
  return issuePlace(project, shell);
}

/** Browsers send line breaks of text fields as CRLF (HTML standard). */
function bodyOf(form: Form): string {
  return given(form, 'body').replaceAll('\r\n', '\n');
}

function assertBody(body: string): void {
  const problem = noteBodyProblem(body);
  if (problem !== null) throw new ValidationFailedError({ body: [problem] });
}

function showForm(shell: PageShell, props: Omit<NoteFormProps, 'csrfToken'>): Answer {
  const { place, issue, errors } = props;
  const info = placeInfo(place, issue.issueType, `Edit comment on #${issue.iid}`);
  const content = NoteFormPage({ ...props, csrfToken: shell.csrfToken });
  return shell.page(content, info, errors === null ? 200 : 422);
}
