import type { ErrorTrackingSetting } from '../error-tracking-setting.entity.js';
import { projectNameFrom, trackerExternalUrl } from './tracker-url.js';

/** Error tracking settings of a project (API doc, Error tracking settings). */
export interface ErrorTrackingSettingsResponse {
  /** True if error tracking is enabled. */
  active: boolean;
  /** Name of the project in the external tracker. @example "Lathe" */
  project_name: string | null;
  /**
   * Web URL of the project in the external tracker.
   * @example "https://tracker.example.com/tools/lathe"
   */
  tracker_external_url: string | null;
  /**
   * API URL of the project in the external tracker.
   * @example "https://tracker.example.com/api/0/projects/tools/lathe"
   */
  api_url: string | null;
  /** True for the built-in backend; false while the instance disables it. */
  integrated: boolean;
}

/** Presents the error tracking settings of a project; `isOffered`: by the instance. */
export function presentErrorTrackingSettings(
  { enabled, integrated, apiUrl, projectName }: ErrorTrackingSetting,
  { isOffered }: { isOffered: boolean },
): ErrorTrackingSettingsResponse {
  return {
    active: enabled,
    project_name: projectName ?? (apiUrl === null ? null : projectNameFrom(apiUrl)),
    tracker_external_url: apiUrl === null ? null : trackerExternalUrl(apiUrl),
    api_url: apiUrl,
    integrated: integrated && isOffered,
  };
}
