/** The two short forms, and the one that names an integration; `.json` is optional in each. */
const WEBHOOK =
  /^\/([^/]+(?:\/[^/]+)+?)(\/prometheus)?\/alerts\/notify(?:\/[^/]+\/([A-Za-z0-9]+))?(?:\.json)?$/;

/** Whatever has the part that all of them have, beneath what can be a project. */
const NEARLY = /^\/[^/]+(?:\/[^/]+)+?\/alerts\/notify(?:[/.]|$)/;

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
  if (!path.includes('/alerts/notify') || isOwn(path)) return null;
  const [, project, monitoring, identifier = null] = WEBHOOK.exec(path) ?? [];
  if (project === undefined) return null;
  return { project: decoded(project), isMonitoring: monitoring !== undefined, identifier };
}

/**
 * Whether a path looks like that of an alert webhook with something missing, wrong or too much: what
 * is posted there comes from a program. Not what is beneath `-`, which belongs to a page of a
 * project or group called `notify`, nor what Git asks of one.
 */
export function isNearWebhookPath(path: string): boolean {
  if (!path.includes('/alerts/notify') || path.includes('.git/')) return false;
  return NEARLY.test(path) && !isOwn(path);
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
