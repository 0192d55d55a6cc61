import { toInteger, toText } from '../../core/params/coerce.js';
import {
  BooleanParam,
  declare,
  IntegerParam,
  ValueAsSent,
} from '../../core/params/params.decorator.js';
import { EMAIL_ACCESS_LEVELS } from '../alert-settings.repository.js';
import type { JsonObject } from '../parsing/incoming-alert.js';

/** The payload in which fields are looked for. */
export class PayloadFieldsDto {
  /**
   * Sample payload of a tool, as a JSON object or its text.
   * @example {"alert": {"name": "Disk full"}}
   */
  @ValueAsSent({ kind: 'json', required: true })
  payload_example: JsonObject | string;
}

const MAX_KEY = 255;
const MAX_HOURS = 8_760;

/** Names of all settings, of which a PUT needs at least one. */
export const ALERT_SETTINGS = [
  'create_issue',
  'issue_template_key',
  'send_email',
  'email_access_level',
  'confidential_incidents',
  'auto_close_incident',
  'auto_resolve_hours',
] as const;

/** PUT of a project's alert settings: at least one of these. */
export class UpdateAlertSettingsDto {
  /** Creates an incident for each new alert. */
  @BooleanParam()
  create_issue?: boolean | null;

  /** Issue template appended to incident descriptions; null for none. */
  @declare({ kind: 'text', maxLength: MAX_KEY }, toKey, checkKey)
  issue_template_key?: string | null;

  /** Sends emails about alerts. */
  @BooleanParam()
  send_email?: boolean | null;

  /** Minimum role of the email recipients: 30 Developer, 40 Maintainer, 50 Owner. */
  @IntegerParam({ values: EMAIL_ACCESS_LEVELS })
  email_access_level?: number | null;

  /** Creates incidents of alerts as confidential. */
  @BooleanParam()
  confidential_incidents?: boolean | null;

  /** Closes the incident when its alerts have recovered. */
  @BooleanParam()
  auto_close_incident?: boolean | null;

  /** Hours without events after which alerts are resolved automatically; null for never. */
  @declare({ kind: 'integer', min: 1, max: MAX_HOURS }, toInteger, checkHours)
  auto_resolve_hours?: number | null;
}

function toKey(value: unknown): unknown {
  const text = toText(value);
  return text === '' ? null : text;
}

/** It becomes the name of a file in the repository. */
function checkKey(value: unknown): string | null {
  const key = value as string;
  if (key.length > MAX_KEY) return 'is too long';
  return /[/\\\u0000-\u001f\u007f]/.test(key) || key.startsWith('.') ? 'is invalid' : null;
}

function checkHours(value: unknown): string | null {
  const hours = value as number;
  return hours < 1 || hours > MAX_HOURS ? 'has a value not allowed' : null;
}
