import type { Request } from 'express';
import { ApiError, InvalidParamsError, UnauthorizedError } from '../../core/errors.js';
import { rawInput } from '../../core/params/input.decorator.js';
import { basicCredentials } from '../../core/secrets.js';

/** The raw tokens of a request, by the two ways of presenting one; blank counts as absent. */
export interface PresentedTokens {
  /** `access_token` parameter, bearer header or `bearer_token` parameter: any kind of token. */
  bearer: string | null;
  /** `private_token` parameter or PRIVATE-TOKEN header: any kind but OAuth. */
  personal: string | null;
}

/**
 * Reads the tokens in their order of precedence. Bearer header and `access_token` together are
 * refused (RFC 6750 §2: one method per request); a token that is no text is 401.
 */
export function presentedTokens(request: Request): PresentedTokens {
  const input = rawInput(request);
  const header = bearerHeader(request.headers.authorization);
  const accessToken = tokenText(input['access_token']);
  if (header !== null && accessToken !== null) {
    throw new ApiError(400, {
      error: 'invalid_request',
      error_description: 'Both Authorization header and payload includes access token.',
    });
  }
  return {
    bearer: accessToken ?? header ?? tokenText(input['bearer_token']),
    personal: tokenText(input['private_token']) ?? tokenText(request.headers['private-token']),
  };
}

/** The raw job token: `JOB-TOKEN` header, `job_token` parameter, or Basic as the job's user. */
export function presentedJobToken(request: Request): string | null {
  const named =
    tokenText(request.headers['job-token']) ?? tokenText(rawInput(request)['job_token']);
  if (named !== null) return named;
  const basic = basicCredentials(request.headers.authorization ?? '');
  return basic !== null && isJobTokenUser(basic.user) ? tokenText(basic.password) : null;
}

function bearerHeader(authorization: string | undefined): string | null {
  const match = /^bearer +([^ ].*)$/i.exec(authorization ?? '');
  return match === null ? null : tokenText(match[1]);
}

/** A list or hash where a token belongs is no token of anyone, and not the absence of one. */
function tokenText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new UnauthorizedError();
  return value.trim() || null;
}

/**
 * The `sudo` parameter or else the `Sudo` header; blank means no sudo. Anything but text and
 * numbers is 400: falling back to the caller's own rights would do the wrong thing silently.
 */
export function sudoTarget(request: Request): string | null {
  const parameter = rawInput(request)['sudo'];
  if (typeof parameter === 'number') return String(parameter);
  if (parameter === undefined || parameter === null || parameter === '') {
    return headerText(request.headers['sudo']);
  }
  if (typeof parameter !== 'string') throw new InvalidParamsError(['sudo is invalid']);
  return parameter.trim() || headerText(request.headers['sudo']);
}

function headerText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value.trim() || null : null;
}

/** Ours, and the one that existing v4 clients send. */
const JOB_TOKEN_USERS = ['svc-ci-token', 'gitlab-ci-token'];

/** Returns true if Basic authentication with this username carries a job token as its password. */
export function isJobTokenUser(user: string): boolean {
  return JOB_TOKEN_USERS.includes(user);
}
