/** Names of the chapters that are not just the folder's name. @type {Record<string, string>} */
const BY_FILE = {
  members: 'Members',
  namespaces: 'Namespaces',
  'user-states': 'User states',
  'user-creation': 'Users',
  applications: 'Applications',
  'issue-notes': 'Notes',
  'merge-request-notes': 'Notes',
  'snippet-notes': 'Notes',
  'milestone-issues': 'Milestones',
  'milestone-merge-requests': 'Milestones',
  'alert-integrations': 'Alert integrations',
  'alert-settings': 'Alert integrations',
};

const MILESTONES = 'Milestones of issues and merge requests.';

/** @type {Record<string, { name?: string, description: string }>} */
const BY_FOLDER = {
  users: { description: 'Users and their state, and the signed-in user.' },
  groups: { description: 'Groups and subgroups, which contain projects.' },
  projects: { description: 'Projects and their management.' },
  snippets: { description: 'Personal and project snippets.' },
  'storage-moves': { description: 'Moves of repositories between storages.' },
  tokens: { name: 'Access tokens', description: 'Personal and impersonation access tokens.' },
  'resource-tokens': {
    name: 'Project and group access tokens',
    description: 'Access tokens of projects and groups, with bot users.',
  },
  search: { description: 'Search over names and titles.' },
  settings: { description: 'Instance settings.' },
  audit: { name: 'Audit events', description: 'Audit log.' },
  events: { description: 'Activity events of users and projects.' },
  issues: { description: 'Issues of projects.' },
  'merge-requests': {
    name: 'Merge requests',
    description: 'Merge requests between branches of a project.',
  },
  labels: { description: 'Labels of projects and groups.' },
  milestones: { description: MILESTONES },
  notifications: {
    name: 'Notification settings',
    description: 'Notification levels, globally and per group and project.',
  },
  'error-tracking': {
    name: 'Error tracking',
    description: 'Errors reported by SDKs, and error tracking settings.',
  },
  alerts: { description: 'Alerts of monitoring tools.' },
  repository: {
    name: 'Repositories',
    description: 'Branches, tags, commits and files of projects.',
  },
  'commit-statuses': {
    name: 'Commit statuses',
    description: 'Commit statuses of external CI.',
  },
  environments: { description: 'Deployment environments of projects.' },
  todos: { name: 'To-dos', description: 'To-dos of the signed-in user.' },
  'background-jobs': { description: 'Background jobs of a project.' },
  health: { description: 'Health checks.' },
  oauth: {
    name: 'OAuth and OpenID Connect',
    description: 'OAuth 2.0 and OpenID Connect endpoints.',
  },
  account: { description: 'Account of the signed-in user.' },
  admin: { name: 'Metrics', description: 'Metrics for monitoring.' },
  version: { description: 'Version of the server.' },
  openapi: { name: 'API description', description: 'OpenAPI description.' },
  ui: { name: 'Pages', description: 'Assets of pages.' },
};

/** @type {Record<string, string>} */
const DESCRIPTIONS = {
  Members: 'Members of projects and groups, and their roles.',
  Namespaces: 'Namespaces of projects: groups and users.',
  Applications: 'Instance-wide OAuth applications.',
  'Alert integrations': 'Alert integrations and alert settings.',
  'User states': 'Blocking, approving and deactivating users.',
  Milestones: MILESTONES,
  Notes: 'Comments and system notes.',
};

/**
 * The chapter an endpoint belongs to.
 * @param {import('./sources.js').HandlerSource} source
 */
export function tagOf({ file, folder, place }) {
  const special = BY_FILE[file];
  if (special !== undefined) return { name: special, description: DESCRIPTIONS[special] ?? '' };
  const known = BY_FOLDER[folder];
  if (known === undefined) throw new Error(`${place}: no chapter for the folder ${folder}`);
  const name = folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' ');
  return { name: known.name ?? name, description: known.description };
}
