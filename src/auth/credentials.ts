import type { Request } from 'express';
import { ApiError } from '../core/errors.js';
import { rawInput } from '../core/params/input.decorator.js';

/**
 * The raw token of a request or null, in the order of precedence: `access_token` parameter,
 * bearer header, `bearer_token` parameter, then `private_token` parameter, `PRIVATE-TOKEN` header.
 * Blank values count as absent. Bearer header and `access_token` together are refused
 * (RFC 6750 §2: one method per request).
 */
export function rawToken(request: Request): string | null {
  const input = rawInput(request);
  const bearer = bearerToken(request);
  const accessToken = text(input['access_token']);
  if (bearer !== null && accessToken !== null) {
    throw new ApiError(400, {
      error: 'invalid_request',
      error_description: 'Both Authorization header and payload includes access token.',
    });
  }
  return (
    accessToken ??
    bearer ??
    text(input['bearer_token']) ??
    text(input['private_token']) ??
    text(request.headers['private-token'])
  );
}

function bearerToken(request: Request): string | null {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' ? text(token) : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The `sudo` parameter or else the `Sudo` header; blank means no sudo. */
export function sudoTarget(request: Request): string | null {
  const parameter = rawInput(request)['sudo'];
  const asText = typeof parameter === 'number' ? String(parameter) : text(parameter);
  return asText ?? text(request.headers['sudo']);
}
