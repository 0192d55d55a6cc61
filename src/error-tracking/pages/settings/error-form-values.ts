import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { ErrorTrackingSetting } from '../../error-tracking-setting.entity.js';
import { TOKEN_MASK } from '../../settings/tracker-token.js';

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
    token: settings?.sealedToken == null ? '' : TOKEN_MASK,
    project_name: settings?.projectName ?? '',
    scrub_data: String(settings?.scrubData ?? true),
    scrub_ip_addresses: String(settings?.scrubIpAddresses ?? false),
    sensitive_fields: settings?.sensitiveFields.join('\n') ?? '',
    safe_fields: settings?.safeFields.join('\n') ?? '',
    retention_days: String(settings?.retentionDays ?? ''),
  };
}
