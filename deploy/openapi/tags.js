/** Names of the chapters that are not just the folder's name. @type {Record<string, string>} */
const BY_FILE = {
  'project-members': 'Members',
  'group-members': 'Members',
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
  'alert-integration-calls': 'Alert integrations',
  'alert-settings': 'Alert integrations',
};

const MILESTONES = 'Goals of projects, towards which issues and merge requests work.';

/** @type {Record<string, { name?: string, description: string }>} */
const BY_FOLDER = {
  users: { description: 'People: who they are, what state they are in, who oneself is.' },
  groups: { description: 'Groups and subgroups, which own projects.' },
  projects: { description: 'Projects and what their owners do with them.' },
  snippets: { description: 'Snippets of text, personal ones and those of projects.' },
  'storage-moves': { description: 'Moves of repositories between storages.' },
  tokens: { name: 'Access tokens', description: 'Personal and impersonation access tokens.' },
  'resource-tokens': {
    name: 'Project and group access tokens',
    description: 'Tokens that act for a project or group.',
  },
  settings: { description: 'Switches of the installation.' },
  audit: { name: 'Audit events', description: 'Who changed what.' },
  events: { description: 'What happened in projects, and who did it.' },
  issues: { description: 'Issues of projects.' },
  'merge-requests': {
    name: 'Merge requests',
    description: 'Wishes to merge one branch of a project into another.',
  },
  milestones: { description: MILESTONES },
  notifications: {
    name: 'Notification settings',
    description: 'Which mails people want of projects, of groups, and everywhere else.',
  },
  'error-tracking': {
    name: 'Error tracking',
    description: 'Errors that programs report, and how a project collects them.',
  },
  alerts: { description: 'Problems that monitoring tools told of, and what people do about them.' },
  code: {
    name: 'Repositories',
    description: 'Branches, tags, commits and files of projects, without cloning them.',
  },
  'commit-statuses': {
    name: 'Commit statuses',
    description: 'What outside CI says of commits.',
  },
  environments: { description: 'Where projects run.' },
  'background-jobs': { description: 'What the workers do for a project.' },
  health: { description: 'Whether the process answers and can serve.' },
  oauth: {
    name: 'OAuth and OpenID Connect',
    description: 'Sign-in for applications: tokens, who signed in, and how tokens are checked.',
  },
  account: { description: 'What belongs to the account of who is signed in.' },
  admin: { name: 'Metrics', description: 'Figures for whoever watches the installation.' },
  version: { description: 'Which version this is.' },
  openapi: { name: 'API description', description: 'This description, for programs and people.' },
  ui: { name: 'Pages', description: 'What pages for people are made of.' },
};

/** @type {Record<string, string>} */
const DESCRIPTIONS = {
  Members: 'Who belongs to a project or group, and with which role.',
  Namespaces: 'The owners of projects: groups and users, in one space of ids and paths.',
  Applications: 'Applications of the installation that sign people in here.',
  'Alert integrations': 'How a project learns of alerts, and what it does about them.',
  'User states': 'Blocking, approving and deactivating people.',
  Milestones: MILESTONES,
  Notes: 'Comments of people, and what the server noted about changes.',
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
