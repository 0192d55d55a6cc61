import { encodePath } from '../addresses.js';
import { Avatar } from '../components/avatar.js';
import type { IconName } from '../components/icon.js';
import type { SidebarCounter } from '../page-context.js';
import type { Sidebar, SidebarItem } from './sidebar.js';

interface SidebarProject {
  id: number;
  name: string;
  avatar: string | null;
  fullPath: string;
  /** Names of the groups above, as `Acme / Web Shop`. */
  namespaceName: string;
  defaultBranch: string | null;
}

/** Pages of a project that not everyone can use. */
export interface ProjectAbilities {
  readCode: boolean;
  readMergeRequests: boolean;
  readMilestones: boolean;
  readLabels: boolean;
  readSnippets: boolean;
  readIssues: boolean;
  readAlerts: boolean;
  readErrors: boolean;
  readEnvironments: boolean;
  manageTokens: boolean;
  edit: boolean;
}

/** The pages of a project that its viewer can use. */
export function projectSidebar(project: SidebarProject, may: ProjectAbilities): Sidebar {
  const base = `/${project.fullPath}`;
  const branch = encodePath(project.defaultBranch ?? 'HEAD');
  const entry = (
    label: string,
    icon: IconName,
    page: { path: string; covers?: readonly string[]; counter?: SidebarCounter },
  ): SidebarItem => ({
    label,
    icon,
    href: `${base}/-/${page.path}`,
    covers: (page.covers ?? []).map((one) => `${base}/-/${one}`),
    ...(page.counter !== undefined && { counter: page.counter }),
  });
  const files = { path: `tree/${branch}`, covers: ['tree', 'blob'] };
  const commits = { path: `commits/${branch}`, covers: ['commits', 'commit'] };
  const branches = { path: 'branches', covers: ['tags', 'compare'] };
  const incidents = { path: 'incidents', covers: ['issues/incident'] };
  const settings = { path: 'edit', covers: ['settings'] };
  const alerts = { path: 'alert_management', counter: 'alerts' } as const;
  const errors = { path: 'error_tracking', counter: 'errors' } as const;
  const sections: { title: string; entries: [isShown: boolean, item: SidebarItem][] }[] = [
    {
      title: 'Code',
      entries: [
        [may.readCode, entry('Files', 'folder-git-2', files)],
        [may.readCode, entry('Commits', 'git-commit-horizontal', commits)],
        [may.readCode, entry('Branches', 'git-branch', branches)],
        [
          may.readMergeRequests,
          entry('Merge requests', 'git-pull-request', {
            path: 'merge_requests',
            counter: 'merge_requests',
          }),
        ],
        [may.readSnippets, entry('Snippets', 'file-code', { path: 'snippets' })],
      ],
    },
    {
      title: 'Plan',
      entries: [
        [may.readIssues, entry('Issues', 'circle-dot', { path: 'issues', counter: 'issues' })],
        [may.readMilestones, entry('Milestones', 'milestone', { path: 'milestones' })],
        [may.readIssues, entry('Incidents', 'siren', incidents)],
        [may.readLabels, entry('Labels', 'tag', { path: 'labels' })],
      ],
    },
    {
      title: 'Monitor',
      entries: [
        [may.readAlerts, entry('Alerts', 'bell-ring', alerts)],
        [may.readErrors, entry('Errors', 'bug', errors)],
        [may.readEnvironments, entry('Environments', 'server', { path: 'environments' })],
      ],
    },
    {
      title: 'Manage',
      entries: [
        [true, entry('Members', 'users', { path: 'project_members' })],
        [may.manageTokens, entry('Access tokens', 'key-round', { path: 'settings/access_tokens' })],
        [may.edit, entry('Audit log', 'scroll-text', { path: 'audit_events' })],
        [may.edit, entry('Settings', 'settings', settings)],
      ],
    },
  ];
  return {
    label: 'Project',
    subject: {
      name: project.name,
      detail: project.namespaceName,
      href: base,
      avatar: <Avatar name={project.name} owner={project} kind="project" />,
    },
    path: project.fullPath,
    sections: [
      {
        items: [
          { label: 'Overview', href: base, icon: 'house', alone: true },
          entry('Activity', 'activity', { path: 'activity' }),
        ],
      },
      ...sections.flatMap(({ title, entries }) => {
        const items = entries.flatMap(([isShown, item]) => (isShown ? [item] : []));
        return items.length === 0 ? [] : [{ title, items }];
      }),
    ],
  };
}

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
