import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { ErrorTrackingSetting } from '../../error-tracking-setting.entity.js';
import { TOKEN_MASK } from '../../settings/tracker-token.js';

/** What one of the forms of the settings is shown with. */
export interface FilledForm {
  /** By the names of its fields. */
  values: Record<string, unknown>;
  errors: FormProblems | null;
}

/** What both forms begin with: what is stored, or the defaults of a project without settings. */
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
