import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../access/auth-context.js';
import { Avatar } from './components/avatar.js';
import { Form } from './components/form.js';
import { Icon, type IconName } from './components/icon.js';
import { NOTIFICATIONS_PATH } from './addresses.js';
import { APPEARANCE_PATH, PREFERENCES, type Preferences } from './preferences.js';

interface MenuLink {
  label: string;
  href: string;
  icon: IconName;
}

const CREATE_LINKS: MenuLink[] = [
  { label: 'New project', href: '/projects/new', icon: 'folder-git-2' },
  { label: 'New group', href: '/groups/new', icon: 'boxes' },
  { label: 'New snippet', href: '/-/snippets/new', icon: 'file-code' },
];

const ACCOUNT_LINKS: MenuLink[] = [
  { label: 'Edit profile', href: '/-/user_settings/profile', icon: 'user' },
  { label: 'Preferences', href: '/-/user_settings/preferences', icon: 'sliders-horizontal' },
  { label: 'Notifications', href: NOTIFICATIONS_PATH, icon: 'bell' },
  { label: 'Access tokens', href: '/-/user_settings/personal_access_tokens', icon: 'key-round' },
  { label: 'Applications', href: '/-/user_settings/applications', icon: 'blocks' },
  { label: 'Sessions', href: '/-/user_settings/active_sessions', icon: 'monitor-smartphone' },
];

/** Links to the forms for new content; external users can create none outside of projects. */
export function CreateMenu({ viewer }: { viewer: Viewer }): VNode | null {
  if (viewer.external && !viewer.admin) return null;
  return (
    <Menu id="create-menu" label="Create" button={<Icon name="plus" />}>
      <MenuLinks links={CREATE_LINKS} />
    </Menu>
  );
}

interface UserMenuProps {
  viewer: Viewer;
  csrfToken: string;
  preferences: Preferences;
}

/** The viewer's own pages, theme, and the way out. */
export function UserMenu({ viewer, csrfToken, preferences }: UserMenuProps): VNode {
  return (
    <Menu
      id="user-menu"
      label={`Account: ${viewer.username}`}
      button={<Avatar name={viewer.name} owner={viewer} />}
    >
      <a class="menu-subject" href={`/${viewer.username}`}>
        <strong>{viewer.name}</strong>
        <small>{`@${viewer.username}`}</small>
      </a>
      <MenuLinks links={ACCOUNT_LINKS} />
      <ThemeForm csrfToken={csrfToken} theme={preferences.theme} />
      <Form action="/users/sign_out" csrfToken={csrfToken} class="menu-part">
        <button type="submit">
          <Icon name="log-out" />
          Sign out
        </button>
      </Form>
    </Menu>
  );
}

interface MenuProps {
  id: string;
  label: string;
  button: VNode;
  children: ComponentChildren;
}

/** A button and the menu that it opens, without a script; Escape or a click elsewhere closes it. */
function Menu({ id, label, button, children }: MenuProps): VNode {
  return (
    <>
      <button type="button" class="icon-button" popovertarget={id} title={label}>
        {button}
        <span class="sr-only">{label}</span>
      </button>
      <div class="menu" id={id} popover="auto">
        {children}
      </div>
    </>
  );
}

function MenuLinks({ links }: { links: MenuLink[] }): VNode {
  return (
    <ul class="menu-part">
      {links.map(({ label, href, icon }) => (
        <li key={href}>
          <a href={href}>
            <Icon name={icon} />
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

const THEMES = {
  system: { label: 'System', icon: 'monitor' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
} as const;

function ThemeForm({
  csrfToken,
  theme,
}: {
  csrfToken: string;
  theme: Preferences['theme'];
}): VNode {
  return (
    <Form action={APPEARANCE_PATH} csrfToken={csrfToken} label="Theme" class="menu-part segments">
      {PREFERENCES.theme.map((value) => (
        <button
          key={value}
          type="submit"
          name="theme"
          value={value}
          aria-pressed={value === theme ? 'true' : 'false'}
        >
          <Icon name={THEMES[value].icon} />
          {THEMES[value].label}
        </button>
      ))}
    </Form>
  );
}
