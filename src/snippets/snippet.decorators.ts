import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { UnauthorizedError } from '../core/errors.js';
import { parseIntegerId } from '../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';
import { publicBaseUrl } from '../core/public-url.js';
import type { ResponseContext } from '../core/response-context.js';
import { spamSender, type SpamSender } from '../spam/submission.js';

/** Author of a snippet's change, its preconditions, and the context of the response. */
export interface SnippetChange {
  viewer: Viewer;
  auth: AuthContext;
  preconditions: Preconditions;
  presentation: ResponseContext;
  sender: SpamSender;
}

/** A change of the snippet whose id the path names. */
export interface SnippetIdChange extends SnippetChange {
  snippetId: number;
}

/** Returns the author and preconditions of a change. Throws 401 for anonymous requests. */
export const Change = createParamDecorator((_: unknown, context: ExecutionContext) =>
  changeOf(context.switchToHttp().getRequest<Request>()),
);

/** The same with the id from the path parameter `name`: `@ChangeOf('id') change: SnippetIdChange`. */
export const ChangeOf = createParamDecorator(
  (name: string, context: ExecutionContext): SnippetIdChange => {
    const request = context.switchToHttp().getRequest<Request>();
    const snippetId = parseIntegerId(String(request.params[name]), name);
    return { ...changeOf(request), snippetId };
  },
);

function changeOf(request: Request): SnippetChange {
  const auth = authContext(request);
  const { viewer } = auth;
  if (viewer === null) throw new UnauthorizedError();
  const presentation = { viewer, baseUrl: publicBaseUrl(request) };
  const preconditions = readPreconditions(request);
  return { viewer, auth, preconditions, presentation, sender: spamSender(request, viewer) };
}

/** Snippet of a notes path, and the viewer. */
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
