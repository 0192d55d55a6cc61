import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { actorContext, type ActorContext } from '../../workspace/spam/request-context.decorator.js';

/** The merge request whose number the path names, its preconditions, and the signed-in user. */
export interface MergeRequestReference extends ActorContext {
  iid: number;
  preconditions: Preconditions;
}

/** One of its notes. */
export interface MergeRequestNoteReference extends MergeRequestReference {
  id: number;
}

/**
 * The merge request that the path names. Also for reading its notes: these are for signed-in users,
 * even in public projects.
 */
export const MergeRequestRef = createParamDecorator((_: unknown, context: ExecutionContext) =>
  mergeRequestReference(context.switchToHttp().getRequest<Request>()),
);

/** The same with the note that the path names. */
export const NoteRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): MergeRequestNoteReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const id = parseIntegerId(String(request.params['note_id']), 'note_id');
    return { ...mergeRequestReference(request), id };
  },
);

function mergeRequestReference(request: Request): MergeRequestReference {
  const iid = parseIntegerId(String(request.params['merge_request_iid']), 'merge_request_iid');
  return { ...actorContext(request), iid, preconditions: readPreconditions(request) };
}
