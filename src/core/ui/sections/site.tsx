import type { Viewer } from '../../access/auth-context.js';
import { Avatar } from '../components/avatar.js';
import { NOTIFICATIONS_PATH } from '../addresses.js';
import type { NavItem } from '../page-context.js';
import type { Sidebar } from './sidebar.js';

/** The sidebar of pages that belong to no project and no group. */
export function siteSidebar(nav: NavItem | undefined, viewer: Viewer | null): Sidebar {
  if (viewer !== null && nav === 'account') return accountSidebar(viewer);
  return nav === 'admin' ? ADMIN : homeSidebar(viewer);
}

function homeSidebar(viewer: Viewer | null): Sidebar {
  const explore = {
    title: 'Explore',
    items: [
      { label: 'Projects', href: '/explore', icon: 'compass' },
      { label: 'Groups', href: '/explore/groups', icon: 'folders' },
      { label: 'Snippets', href: '/explore/snippets', icon: 'scissors' },
    ],
  } as const;
  if (viewer === null) return { label: 'Main', sections: [explore] };
  return {
    label: 'Main',
    sections: [
      {
        items: [
          { label: 'Home', href: '/', icon: 'house', alone: true },
          { label: 'To-dos', href: '/dashboard/todos', icon: 'inbox' },
          { label: 'Activity', href: '/dashboard/activity', icon: 'activity' },
        ],
      },
      {
        title: 'Your work',
        items: [
          {
            label: 'Projects',
            href: '/dashboard/projects',
            icon: 'folder-git-2',
            covers: ['/projects'],
          },
          { label: 'Groups', href: '/dashboard/groups', icon: 'boxes', covers: ['/groups'] },
          { label: 'Snippets', href: '/-/snippets', icon: 'file-code' },
        ],
      },
      explore,
      ...(viewer.admin ? [ADMINISTRATION] : []),
    ],
  };
}

const ADMINISTRATION = {
  title: 'Instance',
  items: [{ label: 'Administration', href: '/admin', icon: 'shield' }],
} as const;

function accountSidebar(viewer: Viewer): Sidebar {
  return {
    label: 'Account',
    crumb: { label: 'Settings', href: '/-/user_settings/profile' },
    subject: {
      name: viewer.name,
      detail: `@${viewer.username}`,
      href: `/${viewer.username}`,
      avatar: <Avatar name={viewer.name} owner={viewer} />,
    },
    sections: [
      {
        title: 'Account',
        items: [
          { label: 'Profile', href: '/-/user_settings/profile', icon: 'user' },
          {
            label: 'Preferences',
            href: '/-/user_settings/preferences',
            icon: 'sliders-horizontal',
          },
          { label: 'Notifications', href: NOTIFICATIONS_PATH, icon: 'bell' },
          { label: 'Emails', href: '/-/user_settings/emails', icon: 'mail' },
        ],
      },
      {
        title: 'Security',
        items: [
          {
            label: 'Password',
            href: '/-/user_settings/password/edit',
            icon: 'lock',
            covers: ['/-/user_settings/password'],
          },
          {
            label: 'Sessions',
            href: '/-/user_settings/active_sessions',
            icon: 'monitor-smartphone',
          },
        ],
      },
      {
        title: 'Access',
        items: [
          {
            label: 'Access tokens',
            href: '/-/user_settings/personal_access_tokens',
            icon: 'key-round',
          },
          { label: 'Applications', href: '/-/user_settings/applications', icon: 'blocks' },
        ],
      },
    ],
  };
}

const ADMIN: Sidebar = {
  label: 'Administration',
  sections: [
    { items: [{ label: 'Overview', href: '/admin', icon: 'house', alone: true }] },
    {
      title: 'People',
      items: [
        { label: 'Users', href: '/admin/users', icon: 'users' },
        { label: 'Applications', href: '/admin/applications', icon: 'blocks' },
      ],
    },
    {
      title: 'Workspace',
      items: [
        { label: 'Groups', href: '/admin/groups', icon: 'boxes' },
        { label: 'Projects', href: '/admin/projects', icon: 'folder-git-2' },
      ],
    },
    {
      title: 'Storage',
      items: [
        { label: 'Storages', href: '/admin/storages', icon: 'hard-drive' },
        { label: 'Storage moves', href: '/admin/storage_moves', icon: 'arrow-right-left' },
      ],
    },
    {
      title: 'Operation',
      items: [
        { label: 'Emails', href: '/admin/mails', icon: 'mail' },
        { label: 'Queues', href: '/admin/queues', icon: 'list-checks' },
        { label: 'Audit log', href: '/admin/audit_logs', icon: 'scroll-text' },
        { label: 'Settings', href: '/admin/application_settings', icon: 'settings' },
      ],
    },
  ],
};
