/**
 * @typedef {object} Section
 * @property {string} text
 * @property {(string | Section)[]} pages paths below docs/ in their order, without `.md`
 */

/**
 * The pages of the site beside the decisions; their titles are the headings of the pages.
 * @type {Section[]}
 */
export const SECTIONS = [
  { text: 'Start', pages: ['index', 'quick-start', 'tutorials/tour'] },
  {
    text: 'Tutorials',
    pages: [
      {
        text: 'Sign users in',
        pages: [
          'tutorials/sign-in-grafana',
          'tutorials/sign-in-nextcloud',
          'tutorials/sign-in-oauth2-proxy',
        ],
      },
      {
        text: 'Receive alerts',
        pages: [
          'tutorials/alerts-alertmanager',
          'tutorials/alerts-grafana',
          'tutorials/alerts-zabbix',
          'tutorials/alerts-uptime-kuma',
          'tutorials/alerts-datadog',
        ],
      },
      {
        text: 'Report errors',
        pages: [
          'tutorials/errors-node',
          'tutorials/errors-python',
          'tutorials/errors-go',
          'tutorials/errors-java',
          'tutorials/errors-php',
          'tutorials/errors-ruby',
          'tutorials/errors-browser',
        ],
      },
      'tutorials/move-a-repository',
      {
        text: 'Migrate',
        pages: [
          'tutorials/migrate-from-gitlab',
          'tutorials/migrate-from-gitea',
          'tutorials/migrate-from-sentry',
        ],
      },
    ],
  },
  {
    text: 'How-to guides',
    pages: [
      'how-to/install',
      'how-to/processes',
      'how-to/scaling',
      'how-to/kubernetes',
      'how-to/proxy',
      'how-to/mail',
      'how-to/users',
      'how-to/upgrade',
      'how-to/backup-and-restore',
      'how-to/monitoring',
      'runbook',
      'how-to/storages',
      'how-to/alerts',
      'how-to/error-tracking',
      'how-to/activity-events',
    ],
  },
  {
    text: 'Reference',
    pages: [
      'reference/configuration',
      'reference/settings',
      'reference/command-line',
      'reference/api',
      'reference/openid-connect',
      'reference/push-options',
      'reference/metrics',
      'reference/audit-events',
    ],
  },
  {
    text: 'Explanation',
    pages: [
      'architecture',
      'explanation/security',
      'explanation/limits',
      'explanation/scale',
      'performance',
    ],
  },
];
