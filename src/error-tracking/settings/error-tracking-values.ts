import { ValidationFailedError, type ValidationMessages } from '../../core/errors.js';
import type { ErrorTrackingSetting } from '../error-tracking-setting.entity.js';
import { trackerUrlProblems } from './tracker-url.js';

const MAX_TEXT = 255;
const MAX_FIELDS = 100;
const MAX_FIELD = 100;
const MAX_DAYS = 365;

/** Attributes of a project's error tracking that users set. */
type TrackedAttributes = Omit<ErrorTrackingSetting, 'projectId' | 'encryptedToken' | 'updatedAt'>;

/** The same with the token of an external tracker in clear; only asterisks leave it as it is. */
export interface ErrorTrackingValues extends TrackedAttributes {
  token: string | null;
}

/** Of a project that never chose any. */
export const UNTRACKED: TrackedAttributes & Pick<ErrorTrackingSetting, 'encryptedToken'> = {
  enabled: false,
  integrated: true,
  apiUrl: null,
  projectName: null,
  encryptedToken: null,
  scrubData: true,
  scrubIpAddresses: false,
  sensitiveFields: [],
  safeFields: [],
  retentionDays: null,
};

/**
 * Returns the given values in their stored form: empty texts become null, field names are trimmed
 * and deduplicated. Throws 400 with messages per attribute.
 */
export function checkedValues(values: Partial<ErrorTrackingValues>): Partial<ErrorTrackingValues> {
  const { apiUrl, projectName, token, sensitiveFields, safeFields } = values;
  const checked = {
    ...values,
    ...(apiUrl !== undefined && { apiUrl: textOrNone(apiUrl) }),
    ...(projectName !== undefined && { projectName: textOrNone(projectName) }),
    ...(token !== undefined && { token: textOrNone(token) }),
    ...(sensitiveFields && { sensitiveFields: namesOf(sensitiveFields) }),
    ...(safeFields && { safeFields: namesOf(safeFields) }),
  };
  refuse({
    ...(checked.apiUrl != null && trackerUrlProblems(checked.apiUrl)),
    ...problemOf('token', textProblem(checked.token)),
    ...problemOf('project_name', textProblem(checked.projectName)),
    ...problemOf('sensitive_fields', fieldsProblem(checked.sensitiveFields)),
    ...problemOf('safe_fields', fieldsProblem(checked.safeFields)),
    ...problemOf('retention_days', daysProblem(checked.retentionDays)),
  });
  return checked;
}

/** Throws 400 for an external tracker that is switched on without being set up. */
export function assertTrackerIsKnown(
  setting: Pick<ErrorTrackingSetting, 'enabled' | 'integrated' | 'apiUrl' | 'encryptedToken'>,
): void {
  if (!setting.enabled || setting.integrated) return;
  refuse({
    ...problemOf('api_url', setting.apiUrl === null ? 'is a required field' : null),
    ...problemOf('token', setting.encryptedToken === null ? 'is a required field' : null),
  });
}

function refuse(messages: ValidationMessages): void {
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

function problemOf(attribute: string, problem: string | null): ValidationMessages {
  return problem === null ? {} : { [attribute]: [problem] };
}

function textOrNone(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function namesOf(fields: readonly string[]): string[] {
  const names = fields.map((name) => name.trim()).filter((name) => name !== '');
  return [...new Set(names)];
}

function textProblem(text: string | null | undefined): string | null {
  if (text == null) return null;
  if (text.includes('\0')) return 'is invalid';
  return text.length > MAX_TEXT ? `is too long (maximum is ${MAX_TEXT} characters)` : null;
}

function fieldsProblem(fields: readonly string[] | undefined): string | null {
  if (fields === undefined) return null;
  if (fields.length > MAX_FIELDS) return `are too many (maximum is ${MAX_FIELDS})`;
  if (fields.some((name) => name.includes('\0'))) return 'are invalid';
  const isLong = fields.some((name) => name.length > MAX_FIELD);
  return isLong ? `are too long (maximum is ${MAX_FIELD} characters each)` : null;
}

function daysProblem(days: number | null | undefined): string | null {
  if (days == null) return null;
  const isPossible = Number.isInteger(days) && days >= 1 && days <= MAX_DAYS;
  return isPossible ? null : `must be between 1 and ${MAX_DAYS}`;
}
