import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../../core/access/viewer.js';
import { BadRequestError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import type { CreateNoteDto, ListNotesDto } from '../notes/note.dto.js';
import { assertMayEditNote, mayDateNotes, type NoteReader } from '../notes/note-access.js';
import { type NoteRow, NotesRepository } from '../notes/notes.repository.js';
import type { Noteable } from '../notes/noteable.js';
import { NotesWriter } from '../notes/notes-writer.service.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { SpamSender } from '../spam/submission.js';
import { type FoundSnippet, SnippetsRepository } from './snippets.repository.js';

/** Project snippet of a list of notes, and the viewer. */
export interface NotedSnippet {
  noteable: Noteable;
  reader: NoteReader;
  visibility: number;
}

/** The text of a comment, and its sender. */
interface SentText {
  project: ProjectRow;
  body: string;
  sender: SpamSender;
}

/** One note of a snippet, and the conditions of its change. */
interface NoteChange {
  id: number;
  preconditions: Preconditions;
}

/** Comments on snippets of projects; personal snippets have none, as in v4. */
@Injectable()
export class SnippetNotesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly snippets: SnippetsRepository,
    private readonly notes: NotesRepository,
    private readonly writer: NotesWriter,
  ) {}

  /** Throws 404 for a snippet that the project does not have or that the viewer cannot see. */
  async of(viewer: Viewer | null, projectId: number, snippetId: number): Promise<NotedSnippet> {
    const snippet = await this.snippets.findVisible(viewer, snippetId, projectId);
    return notedSnippet(snippet, projectId, viewer);
  }

  /** Returns notes, newest first by default. */
  list({ noteable }: NotedSnippet, filters: ListNotesDto, paging: Paging): Promise<Page<NoteRow>> {
    return this.notes.list(noteable, { filters, seesInternal: false }, paging);
  }

  /** Throws 404 for a note that is not the snippet's. */
  find({ noteable }: NotedSnippet, id: number): Promise<NoteRow> {
    return this.notes.findInNoteable(noteable, id, false);
  }

  /**
   * Throws 400 for a bad text and for an internal note, of which snippets have none, 400 or 409 for
   * spam.
   */
  async create(
    snippet: NotedSnippet,
    { project, sender }: Omit<SentText, 'body'>,
    dto: CreateNoteDto,
  ): Promise<NoteRow> {
    const { noteable, reader } = snippet;
    if (dto.internal ?? dto.confidential) {
      throw new BadRequestError('Note {:confidential=>["can not be set for this resource"]}');
    }
    const createdAt = mayDateNotes(reader) ? (dto.created_at ?? undefined) : undefined;
    const { body } = dto;
    const note = { noteable, authorId: sender.viewer.id, body, createdAt };
    await this.assertClean(snippet, { project, body, sender });
    const id = await this.dataSource.transaction(async (tx) => {
      await this.snippets.hold(tx, noteable.id);
      return this.writer.create(tx, note);
    });
    return this.find(snippet, id);
  }

  /**
   * Throws 404, 403 unless the viewer wrote it or keeps the project, 412, 400 for a bad text, 400 or
   * 409 for spam.
   */
  async update(snippet: NotedSnippet, change: NoteChange, text: SentText): Promise<NoteRow> {
    const note = await this.assertMayChange(snippet, change);
    if (text.body !== note.body) await this.assertClean(snippet, text);
    await this.dataSource.transaction((tx) => this.writer.update(tx, change.id, text.body));
    return this.find(snippet, change.id);
  }

  /** Throws 404, 403 unless the viewer wrote it or keeps the project, 412. */
  async delete(snippet: NotedSnippet, change: NoteChange): Promise<void> {
    await this.assertMayChange(snippet, change);
    await this.dataSource.transaction((tx) => this.writer.delete(tx, change.id));
  }

  private assertClean(snippet: NotedSnippet, { project, body, sender }: SentText): Promise<void> {
    const visibility = Math.min(snippet.visibility, project.visibility);
    return this.writer.assertClean({ body, visibility, isConfidential: false }, sender);
  }

  private async assertMayChange(snippet: NotedSnippet, change: NoteChange): Promise<NoteRow> {
    const note = await this.find(snippet, change.id);
    assertMayEditNote(note, snippet.reader);
    change.preconditions.check(note.updatedAt);
    return note;
  }
}

/** The project's snippet, which the viewer was found to see, as something that has notes. */
export function notedSnippet(
  { id, accessLevel, visibility }: FoundSnippet,
  projectId: number,
  viewer: Viewer | null,
): NotedSnippet {
  return {
    noteable: { kind: 'snippet', id, iid: null, projectId },
    reader: { viewer, accessLevel },
    visibility,
  };
}
