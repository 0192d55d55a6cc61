import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../core/access/auth-context.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { CreateNoteDto, ListNotesDto } from '../workspace/notes/note.dto.js';
import { mayDateNotes } from '../workspace/notes/note-access.js';
import { type NoteRow, NotesRepository } from '../workspace/notes/notes.repository.js';
import type { Noteable } from '../workspace/notes/noteable.js';
import { NotesService } from '../workspace/notes/notes.service.js';
import { assertTakesAlertChanges, type ProjectAlert } from './alerts.service.js';

/** Returns the alert as the noteable of its notes. */
export function noteableOf({ id, iid, projectId }: ProjectAlert['alert']): Noteable {
  return { kind: 'alert', id, iid, projectId };
}

/** Comments on alerts, and what the server noted about them: the timeline of an alert. */
@Injectable()
export class AlertNotes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notes: NotesRepository,
    private readonly writer: NotesService,
  ) {}

  /**
   * Returns notes, newest first by default; everyone who can read alerts sees internal notes as
   * well.
   */
  list({ alert }: ProjectAlert, filters: ListNotesDto, paging: Paging): Promise<Page<NoteRow>> {
    return this.notes.list(noteableOf(alert), { filters, seesInternal: true }, paging);
  }

  /**
   * The caller checks permissions. Throws 403 in an archived project, 400 for a text that is blank
   * or too long.
   */
  async create(
    { project, alert }: ProjectAlert,
    dto: CreateNoteDto,
    author: Viewer,
  ): Promise<NoteRow> {
    assertTakesAlertChanges(project);
    const { accessLevel } = project;
    const mayDate = mayDateNotes({ viewer: author, accessLevel });
    const note = {
      noteable: noteableOf(alert),
      authorId: author.id,
      body: dto.body,
      internal: dto.internal ?? dto.confidential ?? false,
      createdAt: mayDate ? (dto.created_at ?? undefined) : undefined,
    };
    const id = await this.dataSource.transaction((tx) => this.writer.create(tx, note));
    return this.notes.findInNoteable(noteableOf(alert), id, true);
  }
}
