import type { ErrorTrackingSetting } from '../error-tracking-setting.entity.js';
import { projectNameFrom, trackerExternalUrl } from './tracker-url.js';

/** How a project tracks its errors (API doc, Error tracking settings). */
export interface PresentedErrorTrackingSettings {
  /** Whether it tracks them at all. */
  active: boolean;
  /** What an external tracker calls the project. @example "Lathe" */
  project_name: string | null;
  /** Where people find the project in the external tracker. @example "https://tracker.example.com/tools/lathe" */
  tracker_external_url: string | null;
  /** Where programs find it there. @example "https://tracker.example.com/api/0/projects/tools/lathe" */
  api_url: string | null;
  /** Whether errors are collected here; false while the installation collects none. */
  integrated: boolean;
}

/** Presents the error tracking settings of a project; `isOffered`: by the installation. */
export function presentErrorTrackingSettings(
  { enabled, integrated, apiUrl, projectName }: ErrorTrackingSetting,
  { isOffered }: { isOffered: boolean },
): PresentedErrorTrackingSettings {
  return {
    active: enabled,
    project_name: projectName ?? (apiUrl === null ? null : projectNameFrom(apiUrl)),
    tracker_external_url: apiUrl === null ? null : trackerExternalUrl(apiUrl),
    api_url: apiUrl,
    integrated: integrated && isOffered,
  };
}
