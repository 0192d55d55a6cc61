import { ErrorTrackingSetting } from '../../src/error-tracking/error-tracking-setting.entity.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { ProjectRepositoryStorageMove } from '../../src/storage-moves/storage-move.entity.js';
import { makeAlert, makeEnvironment } from './alert-factories.js';
import { api } from './api-client.js';
import type { TestApp } from './app.js';
import { countInHour, makeError, makeErrorEvent } from './error-factories.js';
import { makeToken, unique, type MadeUser } from './factories.js';
import { commitOn, openMergeRequest } from './merge-request-factories.js';
import { makeGroup, makeMember, makeProject } from './project-factories.js';

const TITLES = [
  'Cart total ignores percentage discounts',
  'Payment fails when the postal code has a space',
  'Let customers save more than one address',
  'Order confirmation email shows the wrong currency',
  'Reduce time to first byte of the cart page',
  'Document the webhook that shipping partners call',
  'Guest checkout keeps the cart of the previous visitor',
];
const LABELS = [['bug', 'checkout'], ['bug'], ['feature', 'accounts'], ['performance']];
const ALERTS = [
  'Checkout API error rate above 5 %',
  'PostgreSQL replica lag over 30 s',
  'Disk /var/lib/postgresql 91 % full on db-2',
  'TLS certificate expires in 9 days',
];
const ERRORS = [
  [
    'TypeError',
    "Cannot read properties of undefined (reading 'amount')",
    'applyDiscount(cart/totals)',
  ],
  ['TimeoutError', 'canceling statement due to statement timeout', 'orders.repository in find'],
  ['PaymentError', 'Payment provider answered 502', 'POST /checkout/:id'],
] as const;
const SOURCE = `export function applyDiscount(cart, code) {
  const rule = rules.get(code);
  return cart.total - cart.total * rule.amount / 100;
}
`;
const HOUR_MS = 3_600_000;
const ROWS = 18;

/** A project in use, with the paths of pages that show what it holds. */
export interface BusyProject {
  id: number;
  fullPath: string;
  groupPath: string;
  mergeRequestPath: string;
  errorPath: string;
}

/** Makes the user's project Checkout with code, issues, alerts, errors and moves. */
export async function makeBusyProject(
  app: Pick<TestApp, 'app' | 'dataSource' | 'url'>,
  user: MadeUser,
): Promise<BusyProject> {
  const acme = await makeGroup(app, { name: 'Acme', path: unique('acme'), visibility: 'public' });
  const group = await makeGroup(app, {
    name: 'Web Shop',
    path: 'web-shop',
    parentId: acme.id,
    visibility: 'public',
  });
  await makeMember(app, { group: acme, user, role: 'owner' });
  const project = await makeProject(app, {
    namespaceId: group.id,
    name: 'Checkout',
    path: 'checkout',
    visibility: 'public',
    description: 'Cart, payment and orders of the web shop',
    files: { 'src/cart/totals.ts': SOURCE, 'README.md': '# Checkout\n\nCart and payment.\n' },
  });
  await insertIssues(app, project, user);
  await insertAlerts(app, project);
  const errorPath = await insertErrors(app, project);
  const mergeRequestPath = await openOne(app, project, user);
  await app.dataSource.manager.insert(
    ProjectRepositoryStorageMove,
    Array.from({ length: ROWS }, (_, at) => ({
      containerId: project.id,
      state: at === 3 ? ('failed' as const) : ('finished' as const),
      sourceStorageName: 'default',
      destinationStorageName: 'storage2',
      errorMessage: at === 3 ? 'storage2 is full' : null,
    })),
  );
  return { ...project, groupPath: acme.fullPath, mergeRequestPath, errorPath };
}

async function insertIssues(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  project: { id: number },
  user: MadeUser,
): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    projectId: project.id,
    authorId: user.id,
    iid: at + 1,
    title: TITLES[at % TITLES.length] ?? '',
    labels: LABELS[at % LABELS.length] ?? [],
    createdAt: new Date(Date.now() - (ROWS - at) * 5 * HOUR_MS),
  }));
  await dataSource.manager.insert(Issue, rows);
  await dataSource.query('INSERT INTO issue_counters VALUES ($1, $2)', [project.id, ROWS]);
}

async function insertAlerts(
  app: Pick<TestApp, 'dataSource'>,
  project: { id: number },
): Promise<void> {
  const production = await makeEnvironment(app, project, { name: 'production' });
  for (let at = 0; at < ROWS; at += 1) {
    await makeAlert(app, project, {
      title: ALERTS[at % ALERTS.length] ?? '',
      severity: at % 5,
      status: at % 3 === 1 ? 1 : 0,
      eventCount: at * at + 2,
      environmentId: production.id,
      startedAt: new Date(Date.now() - at * HOUR_MS),
    });
  }
}

async function insertErrors(
  app: Pick<TestApp, 'dataSource'>,
  project: { id: number; fullPath: string },
): Promise<string> {
  const tracking = { projectId: project.id, enabled: true };
  await app.dataSource.manager.insert(ErrorTrackingSetting, tracking);
  let newest = 0;
  for (let at = 0; at < ROWS; at += 1) {
    const [type, value, culprit] = ERRORS[at % ERRORS.length] ?? ERRORS[0];
    const error = await makeError(app, project, {
      ...{ type, value, culprit },
      eventsCount: at * 37 + 4,
      usersCount: at * 3 + 1,
      lastSeenAt: new Date(Date.now() - (ROWS - at) * HOUR_MS),
    });
    for (let hoursAgo = 0; hoursAgo < 24; hoursAgo += 3) {
      await countInHour(app, error, { hoursAgo, count: ((hoursAgo + at) % 7) + 1 });
    }
    if (at === ROWS - 1) await makeErrorEvent(app, error, {});
    newest = error.id;
  }
  return `/${project.fullPath}/-/error_tracking/${newest}/details`;
}

async function openOne(
  app: Pick<TestApp, 'app' | 'dataSource' | 'url'>,
  project: Parameters<typeof commitOn>[1],
  user: MadeUser,
): Promise<string> {
  const client = api(app.url, await makeToken(app, user));
  const files = { 'src/cart/totals.ts': SOURCE.replace('rule.amount', '(rule?.amount ?? 0)') };
  await commitOn(app, project, { branch: 'discount-totals', from: 'main', user, files });
  const { iid } = await openMergeRequest(client, project, {
    source_branch: 'discount-totals',
    title: 'Apply percentage discounts to the cart total',
    description: 'Closes #1',
    labels: 'cart',
  });
  return `/${project.fullPath}/-/merge_requests/${iid}`;
}
