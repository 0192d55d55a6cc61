import type { Viewer } from '../../core/access/auth-context.js';
import { ForbiddenError } from '../../core/errors.js';
import { canInProject, type ProjectAbility } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { NoteRow } from './notes.repository.js';
import type { Noteable } from './noteable.js';

/** Viewer, and their effective level in the project of the noteable. */
interface NoteReader {
  viewer: Viewer | null;
  accessLevel: number;
}

/** A noteable that the viewer was found to see, and the rules for comments on it. */
export interface Discussion {
  noteable: Noteable;
  reader: NoteReader;
  /** Visibility of the project, or of the snippet if that is lower. */
  visibility: number;
  /** True if the noteable is confidential. */
  isConfidential: boolean;
  /** True if only members of the project can comment. */
  discussionLocked: boolean;
}

/** Returns true if the viewer can see internal notes. */
export function seesInternalNotes(reader: NoteReader): boolean {
  return can('read_internal_note', reader);
}

/** Throws 403 for an internal note of a user who cannot see it. */
export function assertMayWriteInternally(internal: boolean, reader: NoteReader): void {
  if (internal && !seesInternalNotes(reader)) throw new ForbiddenError();
}

/** Returns true if a user who sees the noteable can comment; in a locked discussion, members only. */
export function mayComment({
  discussionLocked,
  reader: { viewer, accessLevel },
}: Pick<Discussion, 'discussionLocked' | 'reader'>): boolean {
  if (viewer === null) return false;
  return !discussionLocked || viewer.admin || accessLevel >= ROLES.guest;
}

/** Returns true if the viewer can change or delete the note: its author, or a maintainer. */
export function mayEditNote(note: NoteRow, reader: NoteReader): boolean {
  if (note.system || reader.viewer === null) return false;
  return note.author.id === reader.viewer.id || can('admin_note', reader);
}

/** Throws 403 unless the viewer can change or delete the note; system notes cannot be changed. */
export function assertMayEditNote(note: NoteRow, reader: NoteReader): void {
  if (!mayEditNote(note, reader)) throw new ForbiddenError();
}

/** Returns true if the viewer can set the creation date of notes. */
export function mayDateNotes(reader: NoteReader): boolean {
  return can('own_project', reader);
}

/** Project visibility grants none of these: they require a role. */
function can(ability: ProjectAbility, { viewer, accessLevel }: NoteReader): boolean {
  return canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
}
