import { ApiError } from '../core/errors.js';
import type { SpammableKind } from './spam-log.entity.js';

/** 400 for spam that no CAPTCHA can save (API doc, Errors 7). */
export function spamDiscarded(kind: SpammableKind): ApiError {
  const error = `Your ${nounOf(kind)} has been recognized as spam and has been discarded.`;
  return new ApiError(400, { message: { error } });
}

/** 409 with what the client needs to show the CAPTCHA and to send the same again. */
export function captchaNeeded(
  kind: SpammableKind,
  { spamLogId, siteKey }: { spamLogId: number; siteKey: string },
): ApiError {
  const error = `Your ${nounOf(kind)} has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.`;
  return new ApiError(409, {
    needs_captcha_response: true,
    spam_log_id: spamLogId,
    captcha_site_key: siteKey,
    message: { error },
  });
}

function nounOf(kind: SpammableKind): string {
  return kind.replace('_', ' ');
}
