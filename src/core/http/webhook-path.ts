/** The two short forms, and the one that names an integration; `.json` is optional in each. */
const WEBHOOK =
  /^\/([^/]+(?:\/[^/]+)+?)(\/prometheus)?\/alerts\/notify(?:\/[^/]+\/([A-Za-z0-9]+))?(?:\.json)?$/;

/** What the address of an alert webhook says. */
export interface WebhookPath {
  /** Full path of the project, as in the address, decoded. */
  project: string;
  /** Whether the address has the part `prometheus` before `alerts`. */
  isMonitoring: boolean;
  /** null in the short forms. */
  identifier: string | null;
}

/** Reads the path of a URL; null when it is not that of an alert webhook. */
export function parseWebhookPath(path: string): WebhookPath | null {
  // Keeps the many other requests away from the pattern.
  if (!path.includes('/alerts/notify')) return null;
  const [, project, monitoring, identifier = null] = WEBHOOK.exec(path) ?? [];
  if (project === undefined || isOwn(project)) return null;
  return { project: decoded(project), isMonitoring: monitoring !== undefined, identifier };
}

/** Paths of our own that no namespace can have. */
function isOwn(project: string): boolean {
  return /^(?:api|oauth)\//.test(project) || /(?:^|\/)-(?:\/|$)/.test(project);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not a path that anything could have; looking it up finds nothing.
    return path;
  }
}
