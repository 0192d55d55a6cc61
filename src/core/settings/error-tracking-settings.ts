import { setting } from './setting-types.js';

const PER_MINUTE: [number, number] = [0, 1_000_000];
const PER_HOUR: [number, number] = [0, 1_000_000_000];

/** Error tracking part of SETTINGS. */
export const ERROR_TRACKING_SETTINGS = {
  error_tracking_integrated_enabled: setting.boolean(
    true,
    'Enable the built-in error tracking backend',
  ),
  error_tracking_retention_days: setting.integer(
    90,
    [1, 365],
    'Default retention of error events (days)',
  ),
  error_tracking_stored_events_per_error: setting.integer(
    1_000,
    [1, 1_000_000],
    'Events per error and day that are stored in full; all are counted',
  ),
  error_tracking_sampling_interval: setting.integer(
    100,
    [1, 1_000_000],
    'Sampling interval above that number (store 1 in N)',
  ),
  throttle_error_tracking_requests_per_key_per_minute: setting.integer(
    6_000,
    PER_MINUTE,
    'Requests per minute per client key, or per IP if the key is invalid (0 = unlimited)',
  ),
  throttle_error_tracking_events_per_project_per_hour: setting.integer(
    100_000,
    PER_HOUR,
    'Error events per project and hour (0 = unlimited)',
  ),
} as const;
