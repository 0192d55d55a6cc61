import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext, type Viewer } from '../../core/access/auth-context.js';
import { UnauthorizedError } from '../../core/errors.js';
import { INVALID, toInteger } from '../../core/params/coerce.js';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { publicBaseUrl } from '../../core/response-context.js';
import type { SpammableKind } from './spam-log.entity.js';

/** Texts of a user that can contain spam. */
export interface Submission {
  kind: SpammableKind;
  /** Empty for a comment. */
  title: string;
  /** The description, empty when there is none; the text of a comment. */
  prose: string;
  /** Contents of files, which can contain more than prose can. */
  files: readonly string[];
  /** Comments that it makes visible along with itself. */
  comments?: readonly string[];
}

/** Sender of a submission: user, address, and the solved CAPTCHA, if any. */
export interface SpamSender {
  viewer: Viewer;
  ip: string | null;
  userAgent: string;
  referrer: string;
  /** The instance's address: links to it are not suspicious. */
  baseUrl: string;
  captchaResponse: string | null;
  spamLogId: number | null;
}

/**
 * Reads the sender from the request; accepts the two CAPTCHA headers (API doc, Errors 7) also in
 * the spelling of v4 clients. An invalid ID counts as absent.
 */
function spamSender(request: Request, viewer: Viewer): SpamSender {
  const id = toInteger(header(request, 'Spam-Log-Id') ?? null);
  return {
    viewer,
    ip: authContext(request).ip,
    userAgent: request.get('user-agent') ?? '',
    referrer: request.get('referer') ?? '',
    baseUrl: publicBaseUrl(request),
    captchaResponse: header(request, 'Captcha-Response') ?? null,
    spamLogId: id === INVALID ? null : (id as number | null),
  };
}

function header(request: Request, name: string): string | undefined {
  return request.get(`X-Svc-${name}`) ?? request.get(`X-GitLab-${name}`);
}

/** Title, prose, files and comments as one text, empty ones left out. */
export function wholeText({ title, prose, files, comments = [] }: Submission): string {
  return [title, prose, ...files, ...comments].filter((text) => text !== '').join('\n');
}

/** The signed-in user of a request, how they are signed in, and the sender for the spam check. */
export interface ActorContext {
  viewer: Viewer;
  auth: AuthContext;
  sender: SpamSender;
}

/** The signed-in user of a request, else 401: `create(@RequestContext() { sender }: ActorContext)`. */
export const RequestContext = createParamDecorator((_: unknown, context: ExecutionContext) =>
  actorContext(context.switchToHttp().getRequest<Request>()),
);

/** An issue or merge request in a path, the preconditions of its change, and the signed-in user. */
export interface IssuableReference extends ActorContext {
  /** Number within the project. */
  iid: number;
  preconditions: Preconditions;
}

/**
 * The issue or merge request whose number the path has, else 401 for anonymous requests:
 * `update(@IssuableRef('issue_iid') { iid, viewer }: IssuableReference)`. Also for reading notes,
 * which requires signing in even in public projects.
 */
export const IssuableRef = createParamDecorator(
  (name: string, context: ExecutionContext): IssuableReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const iid = parseIntegerId(String(request.params[name]), name);
    return { ...actorContext(request), iid, preconditions: readPreconditions(request) };
  },
);

/** Returns the signed-in user and origin of a request. Throws 401 for anonymous requests. */
export function actorContext(request: Request): ActorContext {
  const auth = authContext(request);
  const { viewer } = auth;
  if (viewer === null) throw new UnauthorizedError();
  return { viewer, auth, sender: spamSender(request, viewer) };
}
