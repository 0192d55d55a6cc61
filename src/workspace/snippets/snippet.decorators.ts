import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';
import { UnauthorizedError } from '../../core/errors.js';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { publicBaseUrl } from '../../core/public-url.js';
import type { ResponseContext } from '../../core/response-context.js';
import { spamSender, type SpamSender } from '../spam/submission.js';

/** Author of a snippet's change, its preconditions, and the context of the response. */
export interface SnippetRequestContext {
  viewer: Viewer;
  auth: AuthContext;
  preconditions: Preconditions;
  presentation: ResponseContext;
  sender: SpamSender;
}

/** A change of the snippet whose id the path names. */
export interface SnippetReference extends SnippetRequestContext {
  snippetId: number;
}

/** Returns the author and preconditions of a change. Throws 401 for anonymous requests. */
export const SnippetContext = createParamDecorator((_: unknown, context: ExecutionContext) =>
  snippetContext(context.switchToHttp().getRequest<Request>()),
);

/** The snippet whose id the path parameter names: `@SnippetRef('id') change: SnippetReference`. */
export const SnippetRef = createParamDecorator(
  (name: string, context: ExecutionContext): SnippetReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const snippetId = parseIntegerId(String(request.params[name]), name);
    return { ...snippetContext(request), snippetId };
  },
);

function snippetContext(request: Request): SnippetRequestContext {
  const auth = authContext(request);
  const { viewer } = auth;
  if (viewer === null) throw new UnauthorizedError();
  const presentation = { viewer, baseUrl: publicBaseUrl(request) };
  const preconditions = readPreconditions(request);
  return { viewer, auth, preconditions, presentation, sender: spamSender(request, viewer) };
}

/** Snippet of a notes path, and the viewer. */
export interface SnippetNotesReference {
  viewer: Viewer;
  snippetId: number;
}

/** One of its notes, and the conditions of a change. */
export interface SnippetNoteReference extends SnippetNotesReference {
  id: number;
  preconditions: Preconditions;
}

/** Notes are for who is signed in, also in public projects: 401 (API doc, Notes). */
export const SnippetNotesRef = createParamDecorator((_: unknown, context: ExecutionContext) =>
  notesReference(context.switchToHttp().getRequest<Request>()),
);

/** The same with the note that the path names: `@SnippetNoteRef() place: SnippetNoteReference`. */
export const SnippetNoteRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): SnippetNoteReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const id = parseIntegerId(String(request.params['note_id']), 'note_id');
    return { ...notesReference(request), id, preconditions: readPreconditions(request) };
  },
);

function notesReference(request: Request): SnippetNotesReference {
  const { viewer } = authContext(request);
  if (viewer === null) throw new UnauthorizedError();
  const snippetId = parseIntegerId(String(request.params['snippet_id']), 'snippet_id');
  return { viewer, snippetId };
}
