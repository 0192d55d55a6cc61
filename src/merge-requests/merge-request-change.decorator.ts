import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { UnauthorizedError } from '../core/errors.js';
import { parseIntegerId } from '../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';
import { spamSender, type SpamSender } from '../spam/submission.js';

/** Author of a change of a merge request. */
export interface MergeRequestChange {
  viewer: Viewer;
  auth: AuthContext;
  sender: SpamSender;
}

/** A change of the one whose number the path names, and its conditions. */
export interface MergeRequestIidChange extends MergeRequestChange {
  iid: number;
  preconditions: Preconditions;
}

/** One of its notes. */
export interface MergeRequestNoteChange extends MergeRequestIidChange {
  id: number;
}

/** Returns the author of a change. Throws 401 for anonymous requests. */
export const Change = createParamDecorator((_: unknown, context: ExecutionContext) =>
  changeOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * The same for the merge request that the path names, also for reading its notes: these are for
 * signed-in users, even in public projects.
 */
export const ChangeOfMergeRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  iidChangeOf(context.switchToHttp().getRequest<Request>()),
);

/** The same with the note that the path names. */
export const ChangeOfNote = createParamDecorator(
  (_: unknown, context: ExecutionContext): MergeRequestNoteChange => {
    const request = context.switchToHttp().getRequest<Request>();
    const id = parseIntegerId(String(request.params['note_id']), 'note_id');
    return { ...iidChangeOf(request), id };
  },
);

function changeOf(request: Request): MergeRequestChange {
  const auth = authContext(request);
  if (auth.viewer === null) throw new UnauthorizedError();
  return { viewer: auth.viewer, auth, sender: spamSender(request, auth.viewer) };
}

function iidChangeOf(request: Request): MergeRequestIidChange {
  const iid = parseIntegerId(String(request.params['merge_request_iid']), 'merge_request_iid');
  return { ...changeOf(request), iid, preconditions: readPreconditions(request) };
}
