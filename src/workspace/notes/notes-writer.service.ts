import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { NotFoundError } from '../../core/errors.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { SpamSender } from '../spam/submission.js';
import { assertNoteBody } from './note-body.js';
import { Note } from './note.entity.js';
import type { Noteable } from './noteable.js';

/** A comment. */
export interface NewNote {
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
export interface SentComment {
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

/**
 * Writes comments within a transaction of the caller, who has decided that the viewer may, and
 * holds what they stand beneath. Each is an event, too.
 */
@Injectable()
export class NotesWriter {
  constructor(
    private readonly activity: Activity,
    private readonly spam: SpamCheck,
    private readonly mentions: MentionsRepository,
  ) {}

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
   * Changes the text of a note, without a notification for new mentions. Throws 400 for a text that
   * is blank or too long, 404 if the note was deleted.
   */
  async update(tx: EntityManager, id: number, body: string): Promise<void> {
    assertNoteBody(body);
    const { affected } = await tx.update(Note, { id }, { body, updatedAt: () => 'now()' });
    if (affected === 0) throw new NotFoundError('Note');
    await this.mentions.replace(tx, { noteId: id }, body);
  }

  /** Throws 404 when the note is gone. */
  async delete(tx: EntityManager, id: number): Promise<void> {
    const { affected } = await tx.delete(Note, { id });
    if (affected === 0) throw new NotFoundError('Note');
  }

  /** Comments on alerts are no events: only who handles alerts can see them. */
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

function ownerColumns(noteable: Noteable): Partial<Note> {
  const { kind, id, projectId } = noteable;
  if (kind === 'commit') return { commitProjectId: projectId, commitSha: noteable.sha };
  if (kind === 'snippet') return { snippetId: id };
  if (kind === 'merge_request') return { mergeRequestId: id };
  return kind === 'issue' ? { issueId: id } : { alertId: id };
}
