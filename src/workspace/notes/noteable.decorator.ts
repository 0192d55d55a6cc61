import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { actorContext, type ActorContext } from '../spam/request-context.decorator.js';

/** Path parameters with the number of a noteable, which each kind names itself. */
const NUMBERS = ['issue_iid', 'merge_request_iid', 'snippet_id'];

/** The noteable in a path, the preconditions of its change, and the signed-in user. */
export interface NoteableReference extends ActorContext {
  /** Number within the project; the ID of a snippet. */
  number: number;
  preconditions: Preconditions;
}

/**
 * The noteable whose number the path has, else 401 for anonymous requests:
 * `list(@NoteableRef() { number, viewer }: NoteableReference)`. Also for reading notes, which
 * requires signing in even in public projects.
 */
export const NoteableRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): NoteableReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const name = NUMBERS.find((each) => each in request.params) ?? '';
    const number = parseIntegerId(String(request.params[name]), name);
    return { ...actorContext(request), number, preconditions: readPreconditions(request) };
  },
);
