import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/viewer.js';
import { ForbiddenError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { givenTitle } from '../../workspace/issues/issue-commands.service.js';
import { mayComment } from '../../workspace/issues/issue-access.js';
import type { Commented } from '../../workspace/notes/command-changes.js';
import type { CreateNoteDto, ListNotesDto } from '../../workspace/notes/note.dto.js';
import {
  assertMayEditNote,
  assertMayWriteInternally,
  mayDateNotes,
  seesInternalNotes,
  type NoteReader,
} from '../../workspace/notes/note-access.js';
import { type NoteRow, NotesRepository } from '../../workspace/notes/notes.repository.js';
import type { NumberedNoteable } from '../../workspace/notes/noteable.js';
import { NotesWriter } from '../../workspace/notes/notes-writer.service.js';
import { parseQuickActions, type QuickAction } from '../../workspace/notes/quick-actions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { SpamSender } from '../../workspace/spam/submission.js';
import { mayChange } from './merge-request-access.js';
import { MERGE_REQUEST_COMMANDS, MergeRequestCommands } from './merge-request-commands.service.js';
import { MergeRequestUpdateService } from './merge-request-update.service.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import type { FoundMergeRequest } from './sql/merge-request-columns.js';

/** A merge request with notes, and their reader. */
export interface NotedMergeRequest {
  request: FoundMergeRequest;
  noteable: NumberedNoteable;
  reader: NoteReader;
  discussionLocked: boolean;
}

/** The sender of a comment, and the project of its merge request. */
export interface CommentSender {
  project: ProjectRow;
  sender: SpamSender;
}

/** A comment as it is sent, its text without the commands. */
interface SentNote {
  /** Null for nothing but commands. */
  body: string | null;
  internal: boolean;
  actions: readonly QuickAction[];
}

/** One of its notes, and the conditions of its change. */
interface NoteChange {
  id: number;
  preconditions: Preconditions;
}

/** Notes of merge requests as endpoints and pages offer them. */
@Injectable()
export class MergeRequestNotesService {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly notes: NotesRepository,
    private readonly writer: NotesWriter,
    private readonly commands: MergeRequestCommands,
    private readonly updates: MergeRequestUpdateService,
  ) {}

  /** Throws 404 for one that is unknown or that the viewer cannot see. */
  async of(viewer: Viewer | null, projectId: number, iid: number): Promise<NotedMergeRequest> {
    return notedMergeRequest(await this.requests.findVisible(viewer, projectId, iid), viewer);
  }

  /** Returns the comments that the viewer can see. */
  list(
    { noteable, reader }: NotedMergeRequest,
    filters: ListNotesDto,
    paging: Paging,
  ): Promise<Page<NoteRow>> {
    const selection = { filters, seesInternal: seesInternalNotes(reader) };
    return this.notes.list(noteable, selection, paging);
  }

  /** Throws 404 for a note of something else or that the viewer cannot see. */
  find({ noteable, reader }: NotedMergeRequest, id: number): Promise<NoteRow> {
    return this.notes.findInNoteable(noteable, id, seesInternalNotes(reader));
  }

  /**
   * Writes the comment and runs its commands, all or nothing. Throws 403 for internal notes without
   * the role, and for users who are not members in a locked discussion, 400 or 409 for spam.
   */
  async create(
    request: NotedMergeRequest,
    { project, sender }: CommentSender,
    dto: CreateNoteDto,
  ): Promise<Commented<NoteRow>> {
    const { noteable, reader } = request;
    const author = sender.viewer;
    const internal = dto.internal ?? dto.confidential ?? false;
    assertMayWriteInternally(internal, reader);
    const createdAt = mayDateNotes(reader) ? (dto.created_at ?? undefined) : undefined;
    const { text: body, actions } = parseQuickActions(dto.body, MERGE_REQUEST_COMMANDS);
    const note = { noteable, authorId: author.id, body, internal, createdAt };
    const isNote = actions.length === 0 || body !== '';
    if (!mayComment(request, reader)) throw new ForbiddenError();
    const sent = { body: isNote ? body : null, internal, actions };
    await this.assertClean(request, { project, sender }, sent);
    const { result: id, commands } = await this.commands.within(
      { noteable, author, accessLevel: reader.accessLevel, actions },
      async (tx) => {
        await this.touch(tx, request);
        return isNote ? this.writer.create(tx, note) : null;
      },
    );
    return { note: id === null ? null : await this.find(request, id), commands };
  }

  /**
   * Throws 404, 403 unless the viewer wrote it or keeps the project, 412, 400 for a bad text, 400
   * or 409 for spam.
   */
  async update(
    request: NotedMergeRequest,
    change: NoteChange,
    { body, project: { visibility }, sender }: CommentSender & { body: string },
  ): Promise<NoteRow> {
    const note = await this.assertMayChange(request, change);
    const comment = { body, visibility, isConfidential: note.internal };
    if (body !== note.body) await this.writer.assertClean(comment, sender);
    await this.notes.manager.transaction((tx) => this.writer.update(tx, change.id, body));
    return this.find(request, change.id);
  }

  /** Throws 404, 403 unless the viewer wrote it or keeps the project, 412. */
  async delete(request: NotedMergeRequest, change: NoteChange): Promise<void> {
    await this.assertMayChange(request, change);
    await this.notes.manager.transaction((tx) => this.writer.delete(tx, change.id));
  }

  /** Asks once about text and title, because a solved CAPTCHA answers one question. */
  private async assertClean(
    { request }: NotedMergeRequest,
    { project, sender }: CommentSender,
    { body, internal, actions }: SentNote,
  ): Promise<void> {
    const title = mayChange(request, sender.viewer)
      ? givenTitle(request, actions, sender.viewer)
      : undefined;
    if (body !== null) {
      const { visibility } = project;
      const comment = { body, title, visibility, isConfidential: internal };
      await this.writer.assertClean(comment, sender);
    }
    if (title !== undefined && (body === null || internal)) {
      await this.updates.assertClean({ project, request: { ...request, title } }, sender);
    }
  }

  /**
   * Throws 404 when the merge request was deleted, 403 for users who are not members in a locked
   * discussion.
   */
  private async touch(tx: EntityManager, { noteable, reader }: NotedMergeRequest): Promise<void> {
    const { locked } = await this.requests.touch(tx, noteable.id);
    if (!mayComment({ discussionLocked: locked }, reader)) throw new ForbiddenError();
  }

  private async assertMayChange(request: NotedMergeRequest, change: NoteChange): Promise<NoteRow> {
    const note = await this.find(request, change.id);
    assertMayEditNote(note, request.reader);
    change.preconditions.check(note.updatedAt);
    return note;
  }
}

/** The merge request that the viewer was found to see, as something that has notes. */
export function notedMergeRequest(
  request: FoundMergeRequest,
  viewer: Viewer | null,
): NotedMergeRequest {
  const { id, iid, projectId, accessLevel, discussionLocked } = request;
  const noteable = { kind: 'merge_request', id, iid, projectId } as const;
  return { request, noteable, reader: { viewer, accessLevel }, discussionLocked };
}
