import { Avatar } from '../components/avatar.js';
import type { Sidebar } from './sidebar.js';

interface SidebarGroup {
  id: number;
  name: string;
  fullPath: string;
  avatar: string | null;
}

/** The pages of a group; `may` names those that not everyone can use. */
export function groupSidebar(
  group: SidebarGroup,
  may: { manageTokens: boolean; edit: boolean },
): Sidebar {
  const base = `/groups/${group.fullPath}`;
  const settings = `${base}/-/settings`;
  return {
    label: 'Group',
    subject: {
      name: group.name,
      detail: group.fullPath,
      href: base,
      avatar: <Avatar name={group.name} owner={group} kind="group" />,
    },
    path: group.fullPath,
    sections: [
      {
        items: [
          {
            label: 'Overview',
            href: base,
            icon: 'house',
            covers: [`${base}/-/projects`, `${base}/-/subgroups`],
            alone: true,
          },
          { label: 'Activity', href: `${base}/-/activity`, icon: 'activity' },
        ],
      },
      {
        title: 'Plan',
        items: [{ label: 'Labels', href: `${base}/-/labels`, icon: 'tag' }],
      },
      {
        title: 'Manage',
        items: [
          { label: 'Members', href: `${base}/-/group_members`, icon: 'users' },
          ...(may.manageTokens
            ? [
                {
                  label: 'Access tokens',
                  href: `${settings}/access_tokens`,
                  icon: 'key-round',
                } as const,
              ]
            : []),
          ...(may.edit
            ? [
                {
                  label: 'Audit log',
                  href: `${base}/-/audit_events`,
                  icon: 'scroll-text',
                } as const,
                {
                  label: 'Settings',
                  href: `${base}/-/edit`,
                  icon: 'settings',
                  covers: [settings],
                } as const,
              ]
            : []),
        ],
      },
    ],
  };
}
