import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../core/errors.js';
import type { Preconditions } from '../core/preconditions.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { CreateNoteDto } from '../notes/dto/create-note.dto.js';
import type { ListNotesDto } from '../notes/dto/list-notes.dto.js';
import {
  assertMayEditNote,
  assertMayWriteInternally,
  mayDateNotes,
  seesInternalNotes,
  type NoteReader,
} from '../notes/note-access.js';
import type { NoteRow } from '../notes/note-row.js';
import type { Noteable } from '../notes/noteable.js';
import { NotesFinder } from '../notes/notes-finder.service.js';
import { NotesWriter } from '../notes/notes-writer.service.js';
import { mayComment } from './issue-comments.js';
import { IssuesFinder } from './issues-finder.service.js';

/** An issue whose notes are asked for, and who asks. */
export interface NotedIssue {
  noteable: Noteable;
  reader: NoteReader;
}

/** One note of an issue, and the conditions of its change. */
interface NoteChange {
  id: number;
  preconditions: Preconditions;
}

/** Whether the discussion is locked is read here, so that nobody comments after the lock. */
const TOUCH_SQL = `
  UPDATE issues SET updated_at = now() WHERE id = $1 RETURNING discussion_locked AS locked`;

/** Notes of issues as endpoints and pages offer them. */
@Injectable()
export class IssueNotesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly issues: IssuesFinder,
    private readonly finder: NotesFinder,
    private readonly writer: NotesWriter,
  ) {}

  /** Throws 404 for an issue that is unknown or that the asker may not see. */
  async of(viewer: Viewer | null, projectId: number, iid: number): Promise<NotedIssue> {
    const { id, accessLevel } = await this.issues.find(viewer, projectId, iid);
    return { noteable: { kind: 'issue', id, iid, projectId }, reader: { viewer, accessLevel } };
  }

  /** What the asker may see of them. */
  list(
    { noteable, reader }: NotedIssue,
    filters: ListNotesDto,
    paging: Paging,
  ): Promise<Page<NoteRow>> {
    const selection = { filters, seesInternal: seesInternalNotes(reader) };
    return this.finder.list(noteable, selection, paging);
  }

  /** Throws 404 for a note that is not the issue's or that the asker may not see. */
  find({ noteable, reader }: NotedIssue, id: number): Promise<NoteRow> {
    return this.finder.find(noteable, id, seesInternalNotes(reader));
  }

  /** Throws 403 for internal notes of others, and for strangers in a locked discussion. */
  async create(issue: NotedIssue, author: Viewer, dto: CreateNoteDto): Promise<NoteRow> {
    const { noteable, reader } = issue;
    const internal = dto.internal ?? dto.confidential ?? false;
    assertMayWriteInternally(internal, reader);
    const createdAt = mayDateNotes(reader) ? (dto.created_at ?? undefined) : undefined;
    const note = { noteable, authorId: author.id, body: dto.body, internal, createdAt };
    const id = await this.dataSource.transaction(async (tx) => {
      await assertOpenTo(tx, issue);
      return this.writer.create(tx, note);
    });
    return this.find(issue, id);
  }

  /** Throws 404, 403 unless the asker wrote it or keeps the project, 412, 400 for a bad text. */
  async update(issue: NotedIssue, change: NoteChange, body: string): Promise<NoteRow> {
    await this.assertMayChange(issue, change);
    await this.dataSource.transaction((tx) => this.writer.update(tx, change.id, body));
    return this.find(issue, change.id);
  }

  /** Throws 404, 403 unless the asker wrote it or keeps the project, 412. */
  async delete(issue: NotedIssue, change: NoteChange): Promise<void> {
    await this.assertMayChange(issue, change);
    await this.dataSource.transaction((tx) => this.writer.delete(tx, change.id));
  }

  private async assertMayChange(issue: NotedIssue, change: NoteChange): Promise<void> {
    const note = await this.find(issue, change.id);
    assertMayEditNote(note, issue.reader);
    change.preconditions.check(note.updatedAt);
  }
}

async function assertOpenTo(tx: EntityManager, { noteable, reader }: NotedIssue): Promise<void> {
  const [[issue]] = await tx.query<[{ locked: boolean }[], number]>(TOUCH_SQL, [noteable.id]);
  if (issue === undefined) throw new NotFoundError();
  if (!mayComment({ discussionLocked: issue.locked }, reader)) throw new ForbiddenError();
}
