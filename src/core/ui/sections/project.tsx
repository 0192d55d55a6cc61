import type { VNode } from 'preact';
import { encodePath } from '../../http/encode-path.js';
import { Tabs } from '../components/tabs.js';

export type ProjectTab =
  | 'overview'
  | 'activity'
  | 'code'
  | 'commits'
  | 'branches'
  | 'merge_requests'
  | 'issues'
  | 'milestones'
  | 'incidents'
  | 'alerts'
  | 'errors'
  | 'members'
  | 'snippets'
  | 'tokens'
  | 'settings';

interface ProjectTabsProps {
  project: { fullPath: string; defaultBranch: string | null };
  current: ProjectTab;
  /** Navigation items that the viewer can see besides overview and members. */
  may: {
    readCode: boolean;
    readMergeRequests: boolean;
    readMilestones: boolean;
    readSnippets: boolean;
    readIssues: boolean;
    readAlerts: boolean;
    readErrors: boolean;
    manageTokens: boolean;
    edit: boolean;
  };
}

/** The pages of a project. */
export function ProjectTabs({ project, current, may }: ProjectTabsProps): VNode {
  const base = `/${project.fullPath}`;
  const branch = encodePath(project.defaultBranch ?? 'HEAD');
  const addresses = {
    overview: base,
    activity: `${base}/-/activity`,
    code: `${base}/-/tree/${branch}`,
    commits: `${base}/-/commits/${branch}`,
    branches: `${base}/-/branches`,
    merge_requests: `${base}/-/merge_requests`,
    issues: `${base}/-/issues`,
    milestones: `${base}/-/milestones`,
    incidents: `${base}/-/incidents`,
    alerts: `${base}/-/alert_management`,
    errors: `${base}/-/error_tracking`,
    members: `${base}/-/project_members`,
    snippets: `${base}/-/snippets`,
    tokens: `${base}/-/settings/access_tokens`,
    settings: `${base}/-/edit`,
  };
  const items: [shown: boolean, label: string, href: string][] = [
    [true, 'Overview', addresses.overview],
    [true, 'Activity', addresses.activity],
    [may.readCode, 'Files', addresses.code],
    [may.readCode, 'Commits', addresses.commits],
    [may.readCode, 'Branches', addresses.branches],
    [may.readMergeRequests, 'Merge requests', addresses.merge_requests],
    [may.readIssues, 'Issues', addresses.issues],
    [may.readMilestones, 'Milestones', addresses.milestones],
    [may.readIssues, 'Incidents', addresses.incidents],
    [may.readAlerts, 'Alerts', addresses.alerts],
    [may.readErrors, 'Errors', addresses.errors],
    [true, 'Members', addresses.members],
    [may.readSnippets, 'Snippets', addresses.snippets],
    [may.manageTokens, 'Access tokens', addresses.tokens],
    [may.edit, 'Settings', addresses.settings],
  ];
  const shown = items.filter(([isShown]) => isShown);
  const tabs = shown.map(([, label, href]) => ({ label, href }));
  return <Tabs label="Project" items={tabs} current={addresses[current]} />;
}
