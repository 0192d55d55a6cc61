import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { UnauthorizedError } from '../core/errors.js';
import { parseIntegerId } from '../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';

/** The snippet that a path names, and who asks for its notes. */
export interface SnippetNotesPlace {
  viewer: Viewer;
  snippetId: number;
}

/** One of its notes, and the conditions of a change. */
export interface SnippetNotePlace extends SnippetNotesPlace {
  id: number;
  preconditions: Preconditions;
}

/** Notes are for who is signed in, also in public projects: 401 (API doc, Notes). */
export const NotesOfSnippet = createParamDecorator((_: unknown, context: ExecutionContext) =>
  placeOf(context.switchToHttp().getRequest<Request>()),
);

/** The same with the note that the path names: `@NoteOfSnippet() place: SnippetNotePlace`. */
export const NoteOfSnippet = createParamDecorator(
  (_: unknown, context: ExecutionContext): SnippetNotePlace => {
    const request = context.switchToHttp().getRequest<Request>();
    const id = parseIntegerId(String(request.params['note_id']), 'note_id');
    return { ...placeOf(request), id, preconditions: readPreconditions(request) };
  },
);

function placeOf(request: Request): SnippetNotesPlace {
  const { viewer } = authContext(request);
  if (viewer === null) throw new UnauthorizedError();
  const snippetId = parseIntegerId(String(request.params['snippet_id']), 'snippet_id');
  return { viewer, snippetId };
}
