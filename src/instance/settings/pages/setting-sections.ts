import { SETTING_NAMES, type SettingName } from '../../../core/settings/settings.js';

/** Settings of one form. */
export interface SettingSection {
  /** In the page's address. */
  id: string;
  title: string;
  names: readonly SettingName[];
}

const CHOSEN: SettingSection[] = [
  {
    id: 'sign-up',
    title: 'Sign-up',
    names: [
      'signup_enabled',
      'require_admin_approval_after_user_signup',
      'email_confirmation_setting',
    ],
  },
  {
    id: 'sign-in',
    title: 'Sign-in and sessions',
    names: [
      'minimum_password_length',
      'max_login_attempts',
      'failed_login_attempts_unlock_period_in_minutes',
      'sign_in_failures_per_address_limit',
      'session_expire_delay',
      'session_maximum_days',
      'remember_me_enabled',
      'remember_me_days',
    ],
  },
  {
    id: 'applications',
    title: 'Applications',
    names: [
      'user_oauth_applications',
      'disable_admin_oauth_scopes',
      'ropc_without_client_credentials',
      'oauth_refresh_grace_seconds',
    ],
  },
  {
    id: 'tokens',
    title: 'Access tokens',
    names: [
      'impersonation_enabled',
      'require_personal_access_token_expiry',
      'max_personal_access_token_lifetime',
    ],
  },
  { id: 'storages', title: 'Repository storages', names: ['repository_storages_weighted'] },
  { id: 'limits', title: 'Limits', names: namesWith(/throttle_|protected_paths|limit|_per_/) },
  { id: 'spam', title: 'Spam', names: namesWith(/^(?:spam|akismet|recaptcha)_/) },
];

/** All settings by section; the last one holds those without a section. */
export const SETTING_SECTIONS: readonly SettingSection[] = withRest(CHOSEN);

function namesWith(pattern: RegExp): SettingName[] {
  const taken = ['sign_in_failures_per_address_limit'];
  return SETTING_NAMES.filter((name) => pattern.test(name) && !taken.includes(name));
}

function withRest(sections: SettingSection[]): SettingSection[] {
  const named = new Set(sections.flatMap(({ names }) => names));
  const rest = SETTING_NAMES.filter((name) => !named.has(name));
  return [...sections, { id: 'general', title: 'General', names: rest }];
}
