import type { ComponentChildren, VNode } from 'preact';
import { SectionFrame } from './section-nav.js';

const PAGES = {
  profile: { label: 'Profile', href: '/-/user_settings/profile' },
  emails: { label: 'E-mail addresses', href: '/-/user_settings/emails' },
  notifications: { label: 'Notifications', href: '/-/profile/notifications' },
  password: { label: 'Password', href: '/-/user_settings/password/edit' },
  sessions: { label: 'Sessions', href: '/-/user_settings/active_sessions' },
  tokens: { label: 'Access tokens', href: '/-/user_settings/personal_access_tokens' },
  applications: { label: 'Applications', href: '/-/user_settings/applications' },
} as const;

interface AccountSectionProps {
  current: keyof typeof PAGES;
  children: ComponentChildren;
}

/** Account settings section. */
export function AccountSection({ current, children }: AccountSectionProps): VNode {
  return (
    <SectionFrame
      label="Account"
      items={Object.values(PAGES)}
      current={PAGES[current].href}
      children={children}
    />
  );
}
