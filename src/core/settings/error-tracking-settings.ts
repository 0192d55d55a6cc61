import { setting } from './setting-types.js';

const PER_MINUTE: [number, number] = [0, 1_000_000];
const PER_HOUR: [number, number] = [0, 1_000_000_000];

/** The part of SETTINGS that is about what error SDKs send. */
export const ERROR_TRACKING_SETTINGS = {
  error_tracking_integrated_enabled: setting.boolean(
    true,
    'Whether projects may have their errors collected here',
  ),
  error_tracking_retention_days: setting.integer(
    90,
    [1, 365],
    'Days for which events of errors are kept where the project says nothing else',
  ),
  error_tracking_stored_events_per_error: setting.integer(
    1_000,
    [1, 1_000_000],
    'Events of an error that are all stored within a day; beyond, each is counted and some are stored',
  ),
  error_tracking_sampling_interval: setting.integer(
    100,
    [1, 1_000_000],
    'Beyond that number one event out of so many is stored',
  ),
  throttle_error_tracking_requests_per_key_per_minute: setting.integer(
    6_000,
    PER_MINUTE,
    'Requests of error SDKs per client key, or without a good one per address, and minute; 0: unlimited',
  ),
  throttle_error_tracking_events_per_project_per_hour: setting.integer(
    100_000,
    PER_HOUR,
    'Events of errors per project and hour; 0: unlimited',
  ),
} as const;
