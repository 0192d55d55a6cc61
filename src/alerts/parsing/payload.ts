import { ApiError } from '../../core/errors.js';
import type { JsonObject, ParsedPayload, ParsingRules } from './incoming-alert.js';
import { isMonitoringPayload, parseMonitoring } from './monitoring-payload.js';
import { parsePlain } from './plain-payload.js';

/**
 * Reads a webhook body, which must be as `parseAlertBody` lets it through: nested 100 levels at
 * most, no NUL, no lone surrogates. The monitoring format is known by its attributes, whatever
 * its version and the type of the integration; all else is plain. Throws 400 when its alerts are no
 * list, 422 when an integration of the monitoring type gets another format (API doc: its attributes
 * are all required).
 */
export function parsePayload(body: JsonObject, rules: ParsingRules, now: Date): ParsedPayload {
  if (isMonitoringPayload(body)) return parseMonitoring(body, now);
  if (rules.type === 'prometheus') {
    throw new ApiError(422, { message: '422 Unprocessable entity' });
  }
  return { format: 'plain', alerts: [parsePlain(body, rules, now)], skipped: 0, dropped: 0 };
}
