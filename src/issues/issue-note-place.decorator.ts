import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { UnauthorizedError } from '../core/errors.js';
import { parseIntegerId } from '../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';

/** The issue that a path names, and who asks for its notes. */
export interface NotesPlace {
  viewer: Viewer;
  iid: number;
}

/** One of its notes, and the conditions of a change. */
export interface NotePlace extends NotesPlace {
  id: number;
  preconditions: Preconditions;
}

/** Notes are for who is signed in, also in public projects: 401 (API doc, Notes). */
export const NotesOfPath = createParamDecorator((_: unknown, context: ExecutionContext) =>
  placeOf(context.switchToHttp().getRequest<Request>()),
);

/** The same with the note that the path names: `@NoteOfPath() place: NotePlace`. */
export const NoteOfPath = createParamDecorator(
  (_: unknown, context: ExecutionContext): NotePlace => {
    const request = context.switchToHttp().getRequest<Request>();
    const id = parseIntegerId(String(request.params['note_id']), 'note_id');
    return { ...placeOf(request), id, preconditions: readPreconditions(request) };
  },
);

function placeOf(request: Request): NotesPlace {
  const { viewer } = authContext(request);
  if (viewer === null) throw new UnauthorizedError();
  return { viewer, iid: parseIntegerId(String(request.params['issue_iid']), 'issue_iid') };
}
