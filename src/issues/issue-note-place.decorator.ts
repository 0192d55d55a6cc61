import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIntegerId } from '../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';
import { changeOf, type IssueChange } from './issue-change.decorator.js';

/** Issue of a notes path, and the author of the request. */
export interface NotesPlace extends IssueChange {
  iid: number;
}

/** One of its notes, and the conditions of a change. */
export interface NotePlace extends Pick<NotesPlace, 'viewer' | 'sender' | 'iid'> {
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
    const { viewer, sender, iid } = placeOf(request);
    return { viewer, sender, iid, id, preconditions: readPreconditions(request) };
  },
);

function placeOf(request: Request): NotesPlace {
  const iid = parseIntegerId(String(request.params['issue_iid']), 'issue_iid');
  return { ...changeOf(request), iid };
}
