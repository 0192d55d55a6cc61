import type { Viewer } from '../../core/access/viewer.js';
import { ForbiddenError } from '../../core/errors.js';
import { canInProject, type ProjectAbility } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { NoteRow } from './notes.repository.js';

/** Viewer, and their effective level in the project of the noteable. */
export interface NoteReader {
  viewer: Viewer | null;
  accessLevel: number;
}

/** Returns true if the viewer can see internal notes. */
export function seesInternalNotes(reader: NoteReader): boolean {
  return can('read_internal_note', reader);
}

/** 403 for who would write an internal note without being able to see it. */
export function assertMayWriteInternally(internal: boolean, reader: NoteReader): void {
  if (internal && !seesInternalNotes(reader)) throw new ForbiddenError();
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

/** Visibility opens none of these: they take a role. */
function can(ability: ProjectAbility, { viewer, accessLevel }: NoteReader): boolean {
  return canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
}
