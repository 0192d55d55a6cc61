import type { Settings } from '../settings/settings.js';
import type { Limit } from './tally.js';

type Throttle = 'unauthenticated_api' | 'authenticated_api' | 'protected_paths';

/** The limit that an administrator set on requests as such, or null while it is turned off. */
export function throttle(
  settings: Settings,
  kind: Throttle,
  name: string = `throttle_${kind}`,
): Limit | null {
  if (!settings[`throttle_${kind}_enabled`]) return null;
  return {
    name,
    requests: settings[`throttle_${kind}_requests_per_period`],
    seconds: settings[`throttle_${kind}_period_in_seconds`],
  };
}
