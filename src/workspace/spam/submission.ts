import type { Request } from 'express';
import { authContext, type Viewer } from '../../core/access/auth-context.js';
import { INVALID, toInteger } from '../../core/params/coerce.js';
import { publicBaseUrl } from '../../core/response-context.js';
import type { SpammableKind } from './spam-logs.repository.js';

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
export function spamSender(request: Request, viewer: Viewer): SpamSender {
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
