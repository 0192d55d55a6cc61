import type { AlertSettings } from './alert-settings.service.js';

/** Alert settings of a project. */
export interface AlertSettingsResponse {
  /** Incidents are created for new alerts. */
  create_issue: boolean;
  /** Issue template appended to incident descriptions. @example "outage" */
  issue_template_key: string | null;
  /** Emails are sent about alerts. */
  send_email: boolean;
  /** Minimum role of the email recipients: 30 Developer, 40 Maintainer, 50 Owner. @example 40 */
  email_access_level: number;
  /** True if incidents opened from alerts are confidential. */
  confidential_incidents: boolean;
  /** Incidents are closed when their alerts have recovered. */
  auto_close_incident: boolean;
  /**
   * Hours without events after which alerts are resolved automatically; null for never.
   * @example 24
   */
  auto_resolve_hours: number | null;
}

/** Presents the alert settings of a project. */
export function presentAlertSettings(settings: AlertSettings): AlertSettingsResponse {
  return {
    create_issue: settings.createIssue,
    issue_template_key: settings.issueTemplateKey,
    send_email: settings.sendEmail,
    email_access_level: settings.emailAccessLevel,
    confidential_incidents: settings.confidentialIncidents,
    auto_close_incident: settings.autoCloseIncident,
    auto_resolve_hours: settings.autoResolveHours,
  };
}
