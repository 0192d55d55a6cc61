import type { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { NoteRow } from './notes.repository.js';
import { NOTEABLE_TYPES, type Noteable, type NoteableType } from './noteable.js';
import type { CommandChanges, Commented, CommandsResponse } from './quick-actions.js';

/** Comment or system note. */
export interface NoteResponse {
  id: number;
  /** Always null: notes are no threads. */
  type: null;
  /** Markdown. */
  body: string;
  /** Always null: notes have no files. */
  attachment: null;
  author: UserBasicResponse;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** True for system notes. */
  system: boolean;
  /** null for commits. */
  noteable_id: number | null;
  noteable_type: NoteableType;
  project_id: number;
  resolvable: false;
  /** Deprecated name of `internal`. */
  confidential: boolean;
  /** Visible to Reporters and above only. */
  internal: boolean;
  /**
   * Number of the noteable within the project; null for snippets and commits.
   * @example 7
   */
  noteable_iid: number | null;
  imported: false;
  imported_from: 'none';
  /**
   * Changes of the new comment's commands; empty otherwise.
   * @example {}
   */
  commands_changes: CommandChanges;
}

export function presentNote(
  row: NoteRow,
  noteable: Noteable,
  { baseUrl }: ResponseContext,
): NoteResponse {
  return {
    id: row.id,
    type: null,
    body: row.body,
    attachment: null,
    author: presentUserBasic(row.author, baseUrl),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    system: row.system,
    noteable_id: noteable.id,
    noteable_type: NOTEABLE_TYPES[noteable.kind],
    project_id: noteable.projectId,
    resolvable: false,
    confidential: row.internal,
    internal: row.internal,
    noteable_iid: noteable.iid,
    imported: false,
    imported_from: 'none',
    commands_changes: {},
  };
}

/** Returns a new comment with the changes of its commands, or these alone without a note. */
export function presentComment(
  { note, commands: { changes, summary } }: Commented<NoteRow>,
  noteable: Noteable,
  context: ResponseContext,
): NoteResponse | CommandsResponse {
  if (note === null) return { commands_changes: changes, summary };
  return { ...presentNote(note, noteable, context), commands_changes: changes };
}
