import { setting, type SettingDeclaration, type SettingValue } from './setting-types.js';

const SECONDS: [number, number] = [1, 86_400];
const REQUESTS: [number, number] = [1, 1_000_000_000];
const PER_MINUTE: [number, number] = [0, 1_000_000];
const PER_HOUR: [number, number] = [0, 1_000_000_000];

/**
 * Instance settings that an administrator can change at run time, by the names that v4 clients
 * use. The only list: reading, validation, storage, the endpoint and its documentation derive
 * from it.
 */
export const SETTINGS = {
  tier: setting.choice(
    'ultimate',
    ['free', 'premium', 'ultimate'],
    'License tier reported by the API',
  ),

  signup_enabled: setting.boolean(false, 'Allow anyone to sign up'),
  require_admin_approval_after_user_signup: setting.boolean(
    true,
    'Require administrator approval of new accounts',
  ),
  email_confirmation_setting: setting.choice(
    'hard',
    ['off', 'soft', 'hard'],
    'Email confirmation before sign-in',
  ),

  minimum_password_length: setting.integer(8, [8, 128], 'Minimum password length'),
  max_login_attempts: setting.integer(10, [1, 1_000], 'Failed sign-ins before lockout'),
  failed_login_attempts_unlock_period_in_minutes: setting.integer(
    10,
    [1, 1_440],
    'Lockout duration (minutes)',
  ),
  sign_in_failures_per_address_limit: setting.integer(
    30,
    PER_MINUTE,
    'Failed sign-ins per IP in 10 minutes (0 = unlimited)',
  ),
  session_expire_delay: setting.integer(10_080, [1, 525_600], 'Idle timeout of sessions (minutes)'),
  session_maximum_days: setting.integer(90, [1, 3_650], 'Maximum session lifetime (days)'),
  remember_me_enabled: setting.boolean(true, 'Allow “Remember me”'),
  remember_me_days: setting.integer(14, [1, 365], 'Idle timeout of remembered sessions (days)'),

  user_oauth_applications: setting.boolean(true, 'Allow users to register OAuth applications'),
  disable_admin_oauth_scopes: setting.boolean(
    false,
    'Prevent administrators from granting powerful scopes to untrusted applications',
  ),
  ropc_without_client_credentials: setting.boolean(
    true,
    'Allow the password grant without client credentials',
  ),
  oauth_refresh_grace_seconds: setting.integer(
    30,
    [0, 3_600],
    'Refresh token reuse grace period (seconds)',
  ),

  impersonation_enabled: setting.boolean(true, 'Allow impersonation tokens'),
  require_personal_access_token_expiry: setting.boolean(
    true,
    'Require an expiry date for new access tokens',
  ),
  max_personal_access_token_lifetime: {
    type: 'optional integer',
    default: 365,
    min: 1,
    max: 400,
    description: 'Maximum lifetime of access tokens that must expire (days)',
  },

  repository_storages_weighted: {
    type: 'weights',
    default: {},
    description: 'Weight (0 to 100) of each storage for new repositories; empty = as configured',
  },
  event_retention_days: setting.integer(1_095, [1, 36_500], 'Retention of activity events (days)'),
  push_event_activities_limit: setting.integer(
    3,
    [0, 1_000],
    'Refs per push before events are combined',
  ),

  throttle_unauthenticated_api_enabled: setting.boolean(
    true,
    'Limit unauthenticated requests per IP',
  ),
  throttle_unauthenticated_api_requests_per_period: setting.integer(
    3_600,
    REQUESTS,
    'Unauthenticated requests per IP and period',
  ),
  throttle_unauthenticated_api_period_in_seconds: setting.integer(
    3_600,
    SECONDS,
    'Period of the unauthenticated limit (seconds)',
  ),
  throttle_authenticated_api_enabled: setting.boolean(
    true,
    'Limit authenticated requests per user',
  ),
  throttle_authenticated_api_requests_per_period: setting.integer(
    7_200,
    REQUESTS,
    'Authenticated requests per user and period',
  ),
  throttle_authenticated_api_period_in_seconds: setting.integer(
    3_600,
    SECONDS,
    'Period of the authenticated limit (seconds)',
  ),
  throttle_protected_paths_enabled: setting.boolean(
    true,
    'Limit requests to protected paths per IP',
  ),
  throttle_protected_paths_requests_per_period: setting.integer(
    10,
    REQUESTS,
    'Requests to protected paths per IP and period',
  ),
  throttle_protected_paths_period_in_seconds: setting.integer(
    60,
    SECONDS,
    'Period of the protected paths limit (seconds)',
  ),
  protected_paths: {
    type: 'paths',
    default: ['/users/sign_in', '/users/sign_up', '/users/password', '/users/confirmation'],
    description: 'Protected paths and subpaths for unsafe requests, each with a leading slash',
  },
  protected_paths_for_get_request: {
    type: 'paths',
    default: [],
    description: 'Protected paths and subpaths for GET requests, each with a leading slash',
  },
  throttle_webhooks_requests_per_minute: setting.integer(
    0,
    PER_MINUTE,
    'Webhook requests per project and minute (0 = unlimited)',
  ),
  alert_integrations_per_project: setting.integer(25, [1, 1_000], 'Alert integrations per project'),
  alert_email_interval_seconds: setting.integer(
    60,
    [0, 86_400],
    'Minimum interval between two alert emails to a user (seconds, 0 = none)',
  ),

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

  git_failed_authentications_per_3_minutes: setting.integer(
    30,
    PER_MINUTE,
    'Unknown Git tokens per IP before it is blocked for an hour (0 = unlimited)',
  ),
  users_get_by_id_limit: setting.integer(
    300,
    PER_MINUTE,
    'User lookups by ID per user in 10 minutes (0 = unlimited)',
  ),
  projects_api_rate_limit_unauthenticated: setting.integer(
    400,
    PER_MINUTE,
    'Unauthenticated project lists per IP in 10 minutes (0 = unlimited)',
  ),
  search_rate_limit: setting.integer(
    30,
    PER_MINUTE,
    'Searches per user and minute (0 = unlimited)',
  ),
  search_rate_limit_unauthenticated: setting.integer(
    10,
    PER_MINUTE,
    'Unauthenticated searches per IP and minute (0 = unlimited)',
  ),
  create_rate_limit: setting.integer(
    300,
    PER_MINUTE,
    'New issues, comments and snippets per user and minute (0 = unlimited)',
  ),
  token_creation_rate_limit: setting.integer(
    60,
    PER_MINUTE,
    'New and rotated access tokens per user and minute (0 = unlimited)',
  ),

  spam_check_enabled: setting.boolean(
    true,
    'Checks issues, merge requests, snippets and comments for spam',
  ),
  akismet_enabled: setting.boolean(false, 'Use an Akismet-compatible service'),
  akismet_url: setting.url('https://rest.akismet.com', 'URL of the spam check service'),
  akismet_api_key: setting.secret('akismet_url', 'API key of the spam check service'),
  recaptcha_enabled: setting.boolean(false, 'Allow suspected spam after a CAPTCHA'),
  recaptcha_site_key: setting.text('', 'Site key of the CAPTCHA'),
  recaptcha_private_key: setting.secret('recaptcha_verify_url', 'Secret key of the CAPTCHA'),
  recaptcha_verify_url: setting.url(
    'https://www.google.com/recaptcha/api/siteverify',
    'Verification URL of the CAPTCHA',
  ),
} as const satisfies Record<string, SettingDeclaration>;

export type SettingName = keyof typeof SETTINGS;

/** In the order of declaration. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Settings that are encrypted and never shown. */
export type SecretName = {
  [K in SettingName]: (typeof SETTINGS)[K] extends { secret: true } ? K : never;
}[SettingName];

/** All settings with their values. */
export type Settings = { readonly [K in SettingName]: SettingValue<(typeof SETTINGS)[K]> };

/** Defaults until an administrator changes a setting. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, declaration]) => [name, declaration.default]),
) as unknown as Settings;
