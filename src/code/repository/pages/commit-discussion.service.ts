import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ValidationFailedError } from '../../../core/errors.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { seesInternalNotes } from '../../../workspace/notes/note-access.js';
import { noteBodyProblem } from '../../../workspace/notes/note-body.js';
import { type NoteRow, NotesRepository } from '../../../workspace/notes/notes.repository.js';
import type { Noteable } from '../../../workspace/notes/noteable.js';
import { type CommitLine, NotesWriter } from '../../../workspace/notes/notes-writer.service.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { SpamSender } from '../../../workspace/spam/submission.js';
import { CommitCommentsRepository } from '../commit-comments.repository.js';
import type { CodeView } from './code-frame.js';

/** Comments on a commit and the diff lines that they refer to. */
export interface CommitDiscussion {
  notes: Page<NoteRow>;
  /** By the id of the note. */
  lines: Map<number, CommitLine>;
}

/** Comments on commits, as their pages show and take them. */
@Injectable()
export class CommitDiscussions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly comments: CommitCommentsRepository,
    private readonly notes: NotesRepository,
    private readonly writer: NotesWriter,
  ) {}

  /** The latest first. */
  async of(
    { pageContext, project }: CodeView,
    sha: string,
    paging: Paging,
  ): Promise<CommitDiscussion> {
    const reader = { viewer: pageContext.viewer, accessLevel: project.accessLevel };
    const selection = { filters: {}, seesInternal: seesInternalNotes(reader) };
    const notes = await this.notes.list(noteableOf(project, sha), selection, paging);
    const ids = notes.items.map(({ id }) => id);
    return { notes, lines: await this.comments.findLines(ids) };
  }

  /**
   * Returns the new comment's id; throws 400 for a text that is blank or too long, 400 or 409 for
   * spam.
   */
  async create(
    project: ProjectRow,
    sha: string,
    { body, sender }: { body: string; sender: SpamSender },
  ): Promise<number> {
    const problem = noteBodyProblem(body);
    if (problem !== null) throw new ValidationFailedError({ body: [problem] });
    const { visibility } = project;
    await this.writer.assertClean({ body, visibility, isConfidential: false }, sender);
    const note = { noteable: noteableOf(project, sha), authorId: sender.viewer.id, body };
    return this.dataSource.transaction((tx) => this.writer.create(tx, note));
  }
}

function noteableOf({ id }: { id: number }, sha: string): Noteable {
  return { kind: 'commit', id: null, iid: null, projectId: id, sha };
}
