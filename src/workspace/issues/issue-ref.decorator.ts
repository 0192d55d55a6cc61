import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { actorContext, type ActorContext } from '../spam/request-context.decorator.js';

/** The issue whose number the path names, its preconditions, and the signed-in user. */
export interface IssueReference extends ActorContext {
  iid: number;
  preconditions: Preconditions;
}

/** Issue of a notes path, and the signed-in user. */
export interface NotesReference extends ActorContext {
  iid: number;
}

/** One of its notes, and the preconditions of a change. */
export interface NoteReference extends Pick<NotesReference, 'viewer' | 'sender' | 'iid'> {
  id: number;
  preconditions: Preconditions;
}

/** The issue that the path names: `@IssueRef() change: IssueReference`. */
export const IssueRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): IssueReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const iid = issueIid(request);
    return { ...actorContext(request), iid, preconditions: readPreconditions(request) };
  },
);

/** Notes are for signed-in users, also in public projects: 401 (API doc, Notes). */
export const NotesRef = createParamDecorator((_: unknown, context: ExecutionContext) =>
  notesReference(context.switchToHttp().getRequest<Request>()),
);

/** The same with the note that the path names: `@NoteRef() place: NoteReference`. */
export const NoteRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): NoteReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const id = parseIntegerId(String(request.params['note_id']), 'note_id');
    const { viewer, sender, iid } = notesReference(request);
    return { viewer, sender, iid, id, preconditions: readPreconditions(request) };
  },
);

function notesReference(request: Request): NotesReference {
  const iid = issueIid(request);
  return { ...actorContext(request), iid };
}

function issueIid(request: Request): number {
  return parseIntegerId(String(request.params['issue_iid']), 'issue_iid');
}
