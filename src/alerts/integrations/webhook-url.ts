import type { AlertIntegration } from '../alert-integration.entity.js';

const MAX_SLUG = 63;

/**
 * Address of an integration's webhook; null for external paging, which has none. The slug of the
 * name is for people: the webhook looks only at project and identifier.
 */
export function webhookUrl(
  { name, identifier }: Pick<AlertIntegration, 'name' | 'identifier'>,
  projectUrl: string,
): string | null {
  if (identifier === null) return null;
  return `${projectUrl}/alerts/notify/${slugOf(name)}/${identifier}.json`;
}

/** `Disk & Net` → `disk---net`; `http-endpoint` for a name without ASCII letters and digits. */
function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '');
  return slug === '' ? 'http-endpoint' : slug;
}
