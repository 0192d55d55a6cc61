import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { BadRequestError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender } from '../spam/submission.js';
import {
  assertMayEditNote,
  assertMayWriteInternally,
  mayDateNotes,
  seesInternalNotes,
  type Discussion,
} from './note-access.js';
import type { CreateNoteDto, ListNotesDto } from './note.dto.js';
import { Note } from './note.entity.js';
import type { Noteable } from './noteable.js';
import { NotesRepository, type NoteRow } from './notes.repository.js';
import { parseQuickActions, type QuickAction, type QuickActionName } from './quick-actions.js';

const MAX_LENGTH = 1_000_000;

/** A comment. */
interface NewNote {
  noteable: Noteable;
  /** Of a commit's changes: file, number and side. */
  line?: CommitLine;
  authorId: number;
  /** Markdown. */
  body: string;
  internal?: boolean;
  /** Now unless given. */
  createdAt?: Date | undefined;
}

/** The text of a comment and its audience. */
interface SentComment {
  body: string;
  /** Visibility of the project, or of the snippet if that is lower. */
  visibility: number;
  /** Internal, or beneath something confidential. */
  isConfidential: boolean;
  /** New title of the issue, from commands of the comment. */
  title?: string | undefined;
}

/** The line of a commit's changes that a comment is about. */
export interface CommitLine {
  path: string;
  line: number;
  type: 'new' | 'old';
}

/** A comment that a user sends, split into its text and its commands. */
export interface SentNote {
  note: NewNote & { internal: boolean };
  actions: readonly QuickAction[];
  /** False for a comment of commands only, which is not saved. */
  isNote: boolean;
}

/** A note of a discussion, the preconditions of its change, and the actor. */
interface NoteChange {
  id: number;
  preconditions: Preconditions;
  sender: SpamSender;
}

/** Notes of noteables; the caller has found the noteable visible. */
@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly activity: Activity,
    private readonly spam: SpamCheck,
    private readonly mentions: MentionsRepository,
  ) {}

  /** Returns one page of the notes that the reader can see, newest first by default. */
  list(discussion: Discussion, filters: ListNotesDto, paging: Paging): Promise<Page<NoteRow>> {
    const selection = { filters, seesInternal: seesInternal(discussion) };
    return this.notes.list(discussion.noteable, selection, paging);
  }

  /** Throws 404 for a note of another noteable and for one that the reader cannot see. */
  find(discussion: Discussion, id: number): Promise<NoteRow> {
    return this.notes.findInNoteable(discussion.noteable, id, seesInternal(discussion));
  }

  /**
   * Throws 400 for a text that is blank or too long, 400 or 409 for spam that others than the
   * members of the project would see. Must run before the transaction: it can wait for another
   * service.
   */
  async assertClean(comment: SentComment, sender: SpamSender): Promise<void> {
    const { body, visibility, isConfidential, title = '' } = comment;
    assertNoteBody(body);
    if (isConfidential || visibility === VISIBILITY.private) return;
    await this.spam.assertClean({ kind: 'comment', title, prose: body, files: [] }, sender);
  }

  /** Returns the new note's id; throws 400 for a text that is blank or too long. */
  async create(tx: EntityManager, note: NewNote): Promise<number> {
    const { noteable, line, authorId, body, internal, createdAt } = note;
    assertNoteBody(body);
    const inserted = await tx.insert(Note, {
      ...ownerColumns(noteable),
      ...(line && { commitPath: line.path, commitLine: line.line, commitLineType: line.type }),
      ...(createdAt && { createdAt, updatedAt: createdAt }),
      ...(internal !== undefined && { internal }),
      authorId,
      body,
    });
    const { id } = inserted.identifiers[0] as { id: number };
    if (noteable.kind !== 'alert') await this.mentions.add(tx, { noteId: id }, body);
    await this.recordComment(tx, id, note);
    return id;
  }

  /**
   * Changes the text of a note, without a notification for new mentions. Throws 404, 403 unless the
   * reader wrote it or is a Maintainer, 412, 400 for a bad text, 400 or 409 for spam.
   */
  async update(discussion: Discussion, change: NoteChange, body: string): Promise<NoteRow> {
    const note = await this.assertMayEdit(discussion, change);
    if (body !== note.body) {
      const isConfidential = discussion.isConfidential || note.internal;
      const { visibility } = discussion;
      await this.assertClean({ body, visibility, isConfidential }, change.sender);
    }
    const { id } = change;
    await this.notes.manager.transaction(async (tx) => {
      assertNoteBody(body);
      const { affected } = await tx.update(Note, { id }, { body, updatedAt: () => 'now()' });
      if (affected === 0) throw new NotFoundError('Note');
      await this.mentions.replace(tx, { noteId: id }, body);
    });
    return this.find(discussion, id);
  }

  /** Throws 404, 403 unless the reader wrote it or is a Maintainer, 412. */
  async delete(discussion: Discussion, change: Omit<NoteChange, 'sender'>): Promise<void> {
    await this.assertMayEdit(discussion, change);
    const { affected } = await this.notes.delete({ id: change.id });
    if (affected === 0) throw new NotFoundError('Note');
  }

  private async assertMayEdit(
    discussion: Discussion,
    { id, preconditions }: Omit<NoteChange, 'sender'>,
  ): Promise<NoteRow> {
    const note = await this.find(discussion, id);
    assertMayEditNote(note, discussion.reader);
    preconditions.check(note.updatedAt);
    return note;
  }

  /** Comments on alerts are no events: only users who can read alerts see them. */
  private async recordComment(tx: EntityManager, id: number, note: NewNote): Promise<void> {
    const { kind, projectId, id: noteableId } = note.noteable;
    if (kind === 'alert') return;
    await this.activity.record(tx, [
      {
        projectId,
        authorId: note.authorId,
        action: 'commented',
        target: { type: 'note', id },
        noteable: { type: kind, id: noteableId },
      },
    ]);
  }
}

/** Snippets have no internal notes. */
function seesInternal({ noteable, reader }: Discussion): boolean {
  return noteable.kind !== 'snippet' && seesInternalNotes(reader);
}

/**
 * Returns the comment of a request, without the commands with `known` names. Throws 403 for an
 * internal note without the role.
 */
export function readComment(
  { noteable, reader }: Discussion,
  { dto, authorId }: { dto: CreateNoteDto; authorId: number },
  known: ReadonlySet<QuickActionName>,
): SentNote {
  const internal = dto.internal ?? dto.confidential ?? false;
  assertMayWriteInternally(internal, reader);
  const createdAt = mayDateNotes(reader) ? (dto.created_at ?? undefined) : undefined;
  const { text: body, actions } = parseQuickActions(dto.body, known);
  const note = { noteable, authorId, body, internal, createdAt };
  return { note, actions, isNote: actions.length === 0 || body !== '' };
}

/** Returns the problem with the text of a note, or null. */
export function noteBodyProblem(body: string): string | null {
  if (body.trim() === '') return "can't be blank";
  return body.length > MAX_LENGTH ? `is too long (maximum is ${MAX_LENGTH} characters)` : null;
}

/** Throws 400 in the words of v4 for a text that is blank or too long. */
function assertNoteBody(body: string): void {
  const problem = noteBodyProblem(body);
  if (problem !== null) throw new BadRequestError(`Note {:note=>["${problem}"]}`);
}

function ownerColumns(noteable: Noteable): Partial<Note> {
  const { kind, id, projectId } = noteable;
  if (kind === 'commit') return { commitProjectId: projectId, commitSha: noteable.sha };
  if (kind === 'snippet') return { snippetId: id };
  if (kind === 'merge_request') return { mergeRequestId: id };
  return kind === 'issue' ? { issueId: id } : { alertId: id };
}
