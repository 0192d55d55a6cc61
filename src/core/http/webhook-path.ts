/** The two short forms, and the one that names an integration; `.json` is optional in each. */
const WEBHOOK =
  /^\/([^/]+(?:\/[^/]+)+?)(\/prometheus)?\/alerts\/notify(?:\/[^/]+\/([A-Za-z0-9]+))?(?:\.json)?$/;

/** Parts of an alert webhook's path. */
export interface WebhookPath {
  /** Full path of the project, as in the address, decoded. */
  project: string;
  /** True if the path has the segment `prometheus` before `alerts`. */
  isMonitoring: boolean;
  /** null in the short forms. */
  identifier: string | null;
}

/** Reads the path of a URL; null when it is not that of an alert webhook. */
export function parseWebhookPath(path: string): WebhookPath | null {
  // Keeps the many other requests away from the pattern.
  if (!path.includes('/alerts/notify') || isOwn(path)) return null;
  const [, project, monitoring, identifier = null] = WEBHOOK.exec(path) ?? [];
  if (project === undefined) return null;
  return { project: decoded(project), isMonitoring: monitoring !== undefined, identifier };
}

/** Paths of our own that no namespace can have, and what is beneath one of a project or group. */
function isOwn(path: string): boolean {
  return /^\/(?:api|oauth)\//.test(path) || /\/-(?:\/|$)/.test(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not a path that anything could have; looking it up finds nothing.
    return path;
  }
}
