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

export const NOTE_COLUMNS = `
  t.id, t.body, t.system, t.internal,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  json_build_object('id', author.id, 'username', author.username,
    'name', author.name, 'state', author.state) AS author`;
