import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { UnauthorizedError } from '../core/errors.js';
import { parseIntegerId } from '../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';
import { spamSender, type SpamSender } from '../spam/submission.js';

/** Author and origin of a change of an issue. */
export interface IssueChange {
  viewer: Viewer;
  auth: AuthContext;
  sender: SpamSender;
}

/** A change of the issue whose number the path names, and its conditions. */
export interface IssueIidChange extends IssueChange {
  iid: number;
  preconditions: Preconditions;
}

/** Returns the author and origin of a change. Throws 401 for anonymous requests. */
export const Change = createParamDecorator((_: unknown, context: ExecutionContext) =>
  changeOf(context.switchToHttp().getRequest<Request>()),
);

/** The same for the issue that the path names: `@ChangeOfIssue() change: IssueIidChange`. */
export const ChangeOfIssue = createParamDecorator(
  (_: unknown, context: ExecutionContext): IssueIidChange => {
    const request = context.switchToHttp().getRequest<Request>();
    const iid = parseIntegerId(String(request.params['issue_iid']), 'issue_iid');
    return { ...changeOf(request), iid, preconditions: readPreconditions(request) };
  },
);

/** Returns the author and origin of a request. Throws 401 for anonymous requests. */
export function changeOf(request: Request): IssueChange {
  const auth = authContext(request);
  const { viewer } = auth;
  if (viewer === null) throw new UnauthorizedError();
  return { viewer, auth, sender: spamSender(request, viewer) };
}
