import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import { assertNoteBody } from './note-body.js';
import { Note } from './note.entity.js';

/** A comment; exactly one of the two ids is given. */
export interface NewNote {
  issueId?: number;
  alertId?: number;
  authorId: number;
  /** Markdown. */
  body: string;
  internal?: boolean;
  /** Now unless given. */
  createdAt?: Date | undefined;
}

/**
 * Writes comments within a transaction of the caller, who has decided that the asker may, and
 * holds what they stand beneath.
 */
@Injectable()
export class NotesWriter {
  /** Answers the new note's id; throws 400 for a text that is blank or too long. */
  async create(tx: EntityManager, { createdAt, ...note }: NewNote): Promise<number> {
    assertNoteBody(note.body);
    const times = createdAt === undefined ? {} : { createdAt, updatedAt: createdAt };
    const inserted = await tx.insert(Note, { ...note, ...times });
    return (inserted.identifiers[0] as { id: number }).id;
  }

  /** Throws 400 for a text that is blank or too long, 404 when the note is gone. */
  async update(tx: EntityManager, id: number, body: string): Promise<void> {
    assertNoteBody(body);
    const { affected } = await tx.update(Note, { id }, { body, updatedAt: () => 'now()' });
    if (affected === 0) throw new NotFoundError('Note');
  }

  /** Throws 404 when the note is gone. */
  async delete(tx: EntityManager, id: number): Promise<void> {
    const { affected } = await tx.delete(Note, { id });
    if (affected === 0) throw new NotFoundError('Note');
  }
}
