import { ApiError } from '../../core/errors.js';
import type { JsonObject, ParsedPayload, ParsingRules } from './incoming-alert.js';
import { isMonitoringPayload, parseMonitoring } from './monitoring-payload.js';
import { parsePlain } from './plain-payload.js';

/**
 * Parses a webhook body from `parseAlertBody`: at most 100 levels, no NUL, no lone surrogates. The
 * monitoring format is detected by its attributes, regardless of its version and the integration
 * type; anything else is plain. Throws 400 when its `alerts` is not a list, 422 when a monitoring
 * integration receives another format (API doc: its attributes are all required).
 */
export function parsePayload(body: JsonObject, rules: ParsingRules, now: Date): ParsedPayload {
  if (isMonitoringPayload(body)) return parseMonitoring(body, now);
  if (rules.type === 'prometheus') {
    throw new ApiError(422, { message: '422 Unprocessable entity' });
  }
  return { format: 'plain', alerts: [parsePlain(body, rules, now)], skipped: 0, dropped: 0 };
}
