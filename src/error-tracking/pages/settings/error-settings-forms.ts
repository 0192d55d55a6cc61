import { BooleanParam, IntegerParam, TextParam } from '../../../core/params/params.decorator.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { ErrorTrackingValues } from '../../settings/error-tracking-values.js';
import type { ErrorTrackingSetting } from '../../error-tracking-setting.entity.js';
import { TOKEN_MASK } from '../../settings/error-tracking-settings.service.js';

/** Form that enables error tracking and selects the backend. */
export class TrackingFormDto {
  /** Enables error tracking. */
  @BooleanParam({ required: true })
  enabled: boolean;

  /** Selects the built-in backend. */
  @BooleanParam({ required: true })
  integrated: boolean;

  /** Of the project in the external tracker. */
  @TextParam()
  api_url?: string | null;

  /** Only asterisks leave it as it is. */
  @TextParam()
  token?: string | null;

  /** Name of the project in the external tracker. */
  @TextParam()
  project_name?: string | null;
}

/** Form of data scrubbing and retention. */
export class StoringFormDto {
  /** Removes sensitive data. */
  @BooleanParam({ required: true })
  scrub_data: boolean;

  /** Removes IP addresses of users. */
  @BooleanParam({ required: true })
  scrub_ip_addresses: boolean;

  /** Words of names whose values are secret, one per line. */
  @TextParam()
  sensitive_fields?: string | null;

  /** Names that are never secret, one per line. */
  @TextParam()
  safe_fields?: string | null;

  /** Retention of events in days; empty = the instance's. */
  @IntegerParam()
  retention_days?: number | null;
}

/** Fields of the external tracker are out of sight while errors are collected here: they stay. */
export function trackingValues(dto: TrackingFormDto): Partial<ErrorTrackingValues> {
  const { enabled, integrated, api_url: apiUrl, token, project_name: projectName } = dto;
  if (integrated) return { enabled, integrated };
  return {
    enabled,
    integrated,
    ...(apiUrl !== undefined && { apiUrl }),
    ...(token !== undefined && { token }),
    ...(projectName !== undefined && { projectName }),
  };
}

/** Returns the values of the form; field names are one per line. */
export function storingValues(dto: StoringFormDto): Partial<ErrorTrackingValues> {
  return {
    scrubData: dto.scrub_data,
    scrubIpAddresses: dto.scrub_ip_addresses,
    ...(dto.sensitive_fields != null && { sensitiveFields: linesOf(dto.sensitive_fields) }),
    ...(dto.safe_fields != null && { safeFields: linesOf(dto.safe_fields) }),
    ...(dto.retention_days !== undefined && { retentionDays: dto.retention_days }),
  };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** State of one of the settings forms. */
export interface FilledForm {
  /** By the names of its fields. */
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

/** Returns the initial values of both forms: the stored settings or the defaults. */
export function valuesOfSettings(settings: ErrorTrackingSetting | null): Record<string, string> {
  return {
    enabled: String(settings?.enabled ?? false),
    integrated: String(settings?.integrated ?? true),
    api_url: settings?.apiUrl ?? '',
    token: settings?.encryptedToken == null ? '' : TOKEN_MASK,
    project_name: settings?.projectName ?? '',
    scrub_data: String(settings?.scrubData ?? true),
    scrub_ip_addresses: String(settings?.scrubIpAddresses ?? false),
    sensitive_fields: settings?.sensitiveFields.join('\n') ?? '',
    safe_fields: settings?.safeFields.join('\n') ?? '',
    retention_days: String(settings?.retentionDays ?? ''),
  };
}
