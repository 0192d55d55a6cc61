import type { VNode } from 'preact';
import { Tabs } from '../components/tabs.js';

export type ProjectTab =
  'overview' | 'issues' | 'incidents' | 'alerts' | 'members' | 'snippets' | 'tokens' | 'settings';

interface ProjectTabsProps {
  project: { fullPath: string };
  current: ProjectTab;
  /** What the viewer may see beyond the overview and the members. */
  may: {
    readSnippets: boolean;
    readIssues: boolean;
    readAlerts: boolean;
    manageTokens: boolean;
    edit: boolean;
  };
}

/** The pages of a project. */
export function ProjectTabs({ project, current, may }: ProjectTabsProps): VNode {
  const base = `/${project.fullPath}`;
  const addresses = {
    overview: base,
    issues: `${base}/-/issues`,
    incidents: `${base}/-/incidents`,
    alerts: `${base}/-/alert_management`,
    members: `${base}/-/project_members`,
    snippets: `${base}/-/snippets`,
    tokens: `${base}/-/settings/access_tokens`,
    settings: `${base}/-/edit`,
  };
  const items = [
    { label: 'Overview', href: addresses.overview },
    ...(may.readIssues
      ? [
          { label: 'Issues', href: addresses.issues },
          { label: 'Incidents', href: addresses.incidents },
        ]
      : []),
    ...(may.readAlerts ? [{ label: 'Alerts', href: addresses.alerts }] : []),
    { label: 'Members', href: addresses.members },
    ...(may.readSnippets ? [{ label: 'Snippets', href: addresses.snippets }] : []),
    ...(may.manageTokens ? [{ label: 'Access tokens', href: addresses.tokens }] : []),
    ...(may.edit ? [{ label: 'Settings', href: addresses.settings }] : []),
  ];
  return <Tabs label="Project" items={items} current={addresses[current]} />;
}
