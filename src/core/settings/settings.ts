import { ERROR_TRACKING_SETTINGS } from './error-tracking-settings.js';
import { setting, type SettingDeclaration, type SettingValue } from './setting-types.js';

const SECONDS: [number, number] = [1, 86_400];
const REQUESTS: [number, number] = [1, 1_000_000_000];
const PER_MINUTE: [number, number] = [0, 1_000_000];

/**
 * Every switch of the installation that an administrator may change while it runs, by the name
 * that v4 clients know where they know one. The only list: reading, checking, storing, the
 * endpoint and its documentation follow from it.
 */
export const SETTINGS = {
  tier: setting.choice(
    'ultimate',
    ['free', 'premium', 'ultimate'],
    'Product tier that answers pretend to',
  ),

  signup_enabled: setting.boolean(false, 'Whether anybody may register an account'),
  require_admin_approval_after_user_signup: setting.boolean(
    true,
    'Whether registered accounts wait for an administrator',
  ),
  email_confirmation_setting: setting.choice(
    'hard',
    ['off', 'soft', 'hard'],
    'Whether an e-mail address must be confirmed before signing in',
  ),

  minimum_password_length: setting.integer(8, [8, 128], 'Characters that new passwords must have'),
  max_login_attempts: setting.integer(
    10,
    [1, 1_000],
    'Wrong passwords in a row after which an account is locked',
  ),
  failed_login_attempts_unlock_period_in_minutes: setting.integer(
    10,
    [1, 1_440],
    'Minutes after which a locked account opens again',
  ),
  sign_in_failures_per_address_limit: setting.integer(
    30,
    PER_MINUTE,
    'Wrong passwords from one address in 10 minutes before it must wait; 0: unlimited',
  ),
  session_expire_delay: setting.integer(
    10_080,
    [1, 525_600],
    'Minutes without a request after which a session ends',
  ),
  session_maximum_days: setting.integer(
    90,
    [1, 3_650],
    'Days after which a session ends, however busy it is',
  ),
  remember_me_enabled: setting.boolean(true, 'Whether browsers may stay signed in when closed'),
  remember_me_days: setting.integer(
    14,
    [1, 365],
    'Days without a request after which a remembered session ends',
  ),

  user_oauth_applications: setting.boolean(true, 'Whether everybody may register applications'),
  disable_admin_oauth_scopes: setting.boolean(
    false,
    'Whether administrators may give no powerful scopes to applications that are not trusted',
  ),
  ropc_without_client_credentials: setting.boolean(
    true,
    'Whether the password grant is open to clients that are no registered application',
  ),
  oauth_refresh_grace_seconds: setting.integer(
    30,
    [0, 3_600],
    'Seconds after a refresh in which the old refresh token is refused without counting as stolen',
  ),

  impersonation_enabled: setting.boolean(true, 'Whether impersonation tokens are accepted'),
  require_personal_access_token_expiry: setting.boolean(
    true,
    'Whether new access tokens must expire',
  ),
  max_personal_access_token_lifetime: {
    type: 'optional integer',
    default: 365,
    min: 1,
    max: 400,
    description: 'Days that new access tokens may live at most while they must expire',
  },

  repository_storages_weighted: {
    type: 'weights',
    default: {},
    description: 'Weight (0 to 100) of each storage for new repositories; empty: as configured',
  },
  event_retention_days: setting.integer(1_095, [1, 36_500], 'Days that activity events are kept'),
  push_event_activities_limit: setting.integer(
    3,
    [0, 1_000],
    'Branches or tags that one push may change alike before a single event tells of all of them',
  ),

  throttle_unauthenticated_api_enabled: setting.boolean(
    true,
    'Whether requests without a user are limited by address',
  ),
  throttle_unauthenticated_api_requests_per_period: setting.integer(
    3_600,
    REQUESTS,
    'Requests without a user that one address may send per period',
  ),
  throttle_unauthenticated_api_period_in_seconds: setting.integer(
    3_600,
    SECONDS,
    'Length of that period',
  ),
  throttle_authenticated_api_enabled: setting.boolean(
    true,
    'Whether requests of a user are limited',
  ),
  throttle_authenticated_api_requests_per_period: setting.integer(
    7_200,
    REQUESTS,
    'Requests that one user may send per period',
  ),
  throttle_authenticated_api_period_in_seconds: setting.integer(
    3_600,
    SECONDS,
    'Length of that period',
  ),
  throttle_protected_paths_enabled: setting.boolean(
    true,
    'Whether the protected paths have a stricter limit by address',
  ),
  throttle_protected_paths_requests_per_period: setting.integer(
    10,
    REQUESTS,
    'Requests to protected paths that one address may send per period',
  ),
  throttle_protected_paths_period_in_seconds: setting.integer(60, SECONDS, 'Length of that period'),
  protected_paths: {
    type: 'paths',
    default: ['/users/sign_in', '/users/sign_up', '/users/password', '/users/confirmation'],
    description:
      'Paths to which sending counts as protected, with all below them; each starts with a slash',
  },
  protected_paths_for_get_request: {
    type: 'paths',
    default: [],
    description: 'Paths of which reading counts as protected, too; each starts with a slash',
  },
  throttle_webhooks_requests_per_minute: setting.integer(
    0,
    PER_MINUTE,
    'Calls of webhook receivers per project and minute; 0: unlimited',
  ),
  alert_integrations_per_project: setting.integer(
    25,
    [1, 1_000],
    'Alert integrations that a project may have',
  ),
  alert_email_interval_seconds: setting.integer(
    60,
    [0, 86_400],
    'Minimum seconds between two alert emails to a person; 0: no minimum',
  ),
  ...ERROR_TRACKING_SETTINGS,
  git_failed_authentications_per_3_minutes: setting.integer(
    30,
    PER_MINUTE,
    'Unknown tokens over Git from one address before it is refused for an hour; 0: unlimited',
  ),
  users_get_by_id_limit: setting.integer(
    300,
    PER_MINUTE,
    'Users that a person may look up by id in 10 minutes; 0: unlimited',
  ),
  projects_api_rate_limit_unauthenticated: setting.integer(
    400,
    PER_MINUTE,
    'Lists of projects that an address may read without signing in, in 10 minutes; 0: unlimited',
  ),
  search_rate_limit: setting.integer(30, PER_MINUTE, 'Searches per user and minute; 0: unlimited'),
  search_rate_limit_unauthenticated: setting.integer(
    10,
    PER_MINUTE,
    'Searches per address and minute without signing in; 0: unlimited',
  ),
  create_rate_limit: setting.integer(
    300,
    PER_MINUTE,
    'Issues, notes and snippets that a user may create per minute; 0: unlimited',
  ),
  token_creation_rate_limit: setting.integer(
    60,
    PER_MINUTE,
    'Access tokens that a person may create or rotate per minute; 0: unlimited',
  ),

  spam_check_enabled: setting.boolean(
    true,
    'Checks issues, merge requests, snippets and comments for spam',
  ),
  akismet_enabled: setting.boolean(false, 'Whether an Akismet-compatible service is asked'),
  akismet_url: setting.url('https://rest.akismet.com', 'Address of that service'),
  akismet_api_key: setting.secret('akismet_url', 'Key for that service'),
  recaptcha_enabled: setting.boolean(false, 'Whether suspected spam may be sent after a CAPTCHA'),
  recaptcha_site_key: setting.text('', 'Public key of the CAPTCHA'),
  recaptcha_private_key: setting.secret('recaptcha_verify_url', 'Private key of the CAPTCHA'),
  recaptcha_verify_url: setting.url(
    'https://www.google.com/recaptcha/api/siteverify',
    'Where answers to the CAPTCHA are verified',
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
