import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/viewer.js';
import { ForbiddenError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { NO_COMMANDS, type Commented, type CommandOutcome } from '../notes/command-changes.js';
import type { CreateNoteDto, ListNotesDto } from '../notes/note.dto.js';
import {
  assertMayEditNote,
  assertMayWriteInternally,
  mayDateNotes,
  seesInternalNotes,
  type NoteReader,
} from '../notes/note-access.js';
import { type NoteRow, NotesRepository } from '../notes/notes.repository.js';
import type { NumberedNoteable } from '../notes/noteable.js';
import { NotesWriter } from '../notes/notes-writer.service.js';
import { parseQuickActions, type QuickAction } from '../notes/quick-actions.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { SpamSender } from '../spam/submission.js';
import { givenTitle, ISSUE_COMMANDS, IssueCommands } from './issue-commands.service.js';
import { mayComment } from './issue-access.js';
import type { FoundIssue } from './sql/issue-columns.js';
import { IssuesRepository } from './issues.repository.js';
import type { ActorContext } from '../spam/request-context.decorator.js';

/** Issue of a list of notes, and the viewer. */
export interface NotedIssue {
  issue: FoundIssue;
  noteable: NumberedNoteable;
  reader: NoteReader;
}

/** Author of a comment, and the project and iid of the issue. */
export interface CommentAuthor {
  project: ProjectRow;
  change: ActorContext;
}

/** One note of an issue, the conditions of its change, and the sender of a new text. */
interface NoteChange {
  id: number;
  preconditions: Preconditions;
  sender: SpamSender;
}

/** A comment as it is sent, its text without the commands. */
interface SentNote {
  /** Null for nothing but commands. */
  body: string | null;
  internal: boolean;
  actions: readonly QuickAction[];
}

/** Notes of issues as endpoints and pages offer them. */
@Injectable()
export class IssueNotesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly issues: IssuesRepository,
    private readonly notes: NotesRepository,
    private readonly writer: NotesWriter,
    private readonly commands: IssueCommands,
  ) {}

  /** Throws 404 for an issue that is unknown or that the viewer cannot see. */
  async of(viewer: Viewer | null, projectId: number, iid: number): Promise<NotedIssue> {
    return notedIssue(await this.issues.findVisible(viewer, projectId, iid), viewer);
  }

  /** Returns the comments that the viewer can see. */
  list(
    { noteable, reader }: NotedIssue,
    filters: ListNotesDto,
    paging: Paging,
  ): Promise<Page<NoteRow>> {
    const selection = { filters, seesInternal: seesInternalNotes(reader) };
    return this.notes.list(noteable, selection, paging);
  }

  /** Throws 404 for a note that is not the issue's or that the viewer cannot see. */
  find({ noteable, reader }: NotedIssue, id: number): Promise<NoteRow> {
    return this.notes.findInNoteable(noteable, id, seesInternalNotes(reader));
  }

  /**
   * Writes the comment and runs its commands, all or nothing. Throws 403 for internal notes without
   * the role and for users who are not members in a locked discussion, 400 or 409 for spam.
   */
  async create(
    noted: NotedIssue,
    { project, change }: CommentAuthor,
    dto: CreateNoteDto,
  ): Promise<Commented<NoteRow>> {
    const { issue, noteable, reader } = noted;
    const internal = dto.internal ?? dto.confidential ?? false;
    assertMayWriteInternally(internal, reader);
    const createdAt = mayDateNotes(reader) ? (dto.created_at ?? undefined) : undefined;
    const { text: body, actions } = parseQuickActions(dto.body, ISSUE_COMMANDS);
    const note = { noteable, authorId: change.viewer.id, body, internal, createdAt };
    const isNote = actions.length === 0 || body !== '';
    if (!mayComment(issue, reader)) throw new ForbiddenError();
    const sent = { body: isNote ? body : null, internal, actions };
    await this.assertClean(issue, { project, change }, sent);
    const { id, commands } = await this.dataSource.transaction(async (tx) => {
      const { locked } = await this.issues.touch(tx, noteable.id);
      if (!mayComment({ discussionLocked: locked }, reader)) throw new ForbiddenError();
      return {
        id: isNote ? await this.writer.create(tx, note) : null,
        commands: await this.run(tx, noted, { actions, change }),
      };
    });
    return { note: id === null ? null : await this.find(noted, id), commands };
  }

  /**
   * Throws 404, 403 unless the viewer wrote it or keeps the project, 412, 400 for a bad text, 400 or
   * 409 for spam.
   */
  async update(
    noted: NotedIssue,
    { project: { visibility }, change }: { project: ProjectRow; change: NoteChange },
    body: string,
  ): Promise<NoteRow> {
    const note = await this.assertMayChange(noted, change);
    if (body !== note.body) {
      const isConfidential = noted.issue.confidential || note.internal;
      await this.writer.assertClean({ body, visibility, isConfidential }, change.sender);
    }
    await this.dataSource.transaction((tx) => this.writer.update(tx, change.id, body));
    return this.find(noted, change.id);
  }

  /** Throws 404, 403 unless the viewer wrote it or keeps the project, 412. */
  async delete(issue: NotedIssue, change: Omit<NoteChange, 'sender'>): Promise<void> {
    await this.assertMayChange(issue, change);
    await this.dataSource.transaction((tx) => this.writer.delete(tx, change.id));
  }

  private async run(
    tx: EntityManager,
    { noteable, reader }: NotedIssue,
    given: { actions: readonly QuickAction[]; change: ActorContext },
  ): Promise<CommandOutcome> {
    if (given.actions.length === 0) return NO_COMMANDS;
    const { accessLevel } = reader;
    return this.commands.run(tx, { issueId: noteable.id, accessLevel, ...given });
  }

  private async assertMayChange(
    issue: NotedIssue,
    { id, preconditions }: Omit<NoteChange, 'sender'>,
  ): Promise<NoteRow> {
    const note = await this.find(issue, id);
    assertMayEditNote(note, issue.reader);
    preconditions.check(note.updatedAt);
    return note;
  }

  /** Asks once about text and title, because a solved CAPTCHA answers one question. */
  private async assertClean(
    issue: FoundIssue,
    { project, change }: CommentAuthor,
    { body, internal, actions }: SentNote,
  ): Promise<void> {
    if (body !== null) {
      const title = givenTitle(issue, actions, change.viewer);
      const isConfidential = issue.confidential || internal;
      const comment = { body, title, visibility: project.visibility, isConfidential };
      await this.writer.assertClean(comment, change.sender);
    }
    if (body === null || internal) {
      await this.commands.assertClean({ project, issue }, actions, change);
    }
  }
}

/** The issue that the viewer was found to see, as something that has notes. */
export function notedIssue(issue: FoundIssue, viewer: Viewer | null): NotedIssue {
  const { id, iid, projectId, accessLevel } = issue;
  return {
    issue,
    noteable: { kind: 'issue', id, iid, projectId },
    reader: { viewer, accessLevel },
  };
}
