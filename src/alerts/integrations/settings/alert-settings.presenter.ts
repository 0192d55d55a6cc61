import type { AlertSettings } from './alert-settings.service.js';

/** What a project does about its alerts. */
export interface PresentedAlertSettings {
  /** Whether an incident is opened for each alert that has none. */
  create_issue: boolean;
  /** Name of the issue template whose text ends each incident. @example "outage" */
  issue_template_key: string | null;
  /** Whether alerts are mailed. */
  send_email: boolean;
  /** Least role whose people get the mails: 30 Developer, 40 Maintainer, 50 Owner. @example 40 */
  email_access_level: number;
  /** True if incidents opened from alerts are confidential. */
  confidential_incidents: boolean;
  /** Whether the incident is closed when its alerts have recovered. */
  auto_close_incident: boolean;
  /** Hours without news after which an alert is resolved; null for never. @example 24 */
  auto_resolve_hours: number | null;
}

/** Presents the alert settings of a project. */
export function presentAlertSettings(settings: AlertSettings): PresentedAlertSettings {
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
