import { listedText } from '../core/sql/listed-text.js';
import { userSql } from '../users/sql/user-list.js';
import type { UserBasics } from '../users/user.presenter.js';

/** A note with its author, read in one statement. */
export interface NoteRow {
  id: number;
  body: string;
  system: boolean;
  internal: boolean;
  createdAt: Date;
  updatedAt: Date;
  author: UserBasics;
}

const columns = (body: string): string => `
  t.id, ${body} AS body, t.system, t.internal,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  ${userSql('author')} AS author`;

export const NOTE_COLUMNS = columns('t.body');

/** The same for the rows of a page. */
export const LISTED_NOTE_COLUMNS = columns(listedText('t.body', 't.id'));
