import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../core/activity/notifications.repository.js';
import type { AlertEmailItem } from '../../alerts/alert-emails.repository.js';
import { alertEmail, alertReason } from '../../alerts/worker/alert-email.js';
import type { EmailContent } from '../../core/mail/mail.js';
import { accountEmail } from '../../identity/account/account-emails.service.js';
import { ROLES } from '../../identity/members/roles.js';
import { emailFacts, type EmailRow } from '../../notifications/emails/email-facts.js';
import {
  notificationEmail,
  ruleSentence,
} from '../../notifications/emails/notification-email-renderer.service.js';
import { MAIL_REASONS } from '../../notifications/notification-values.js';

const TOKEN = 'SAMPLE-LINK';
const SHA = '4f1c9d2e8a7b6053c1d2e3f4a5b6c7d8e9f00112';

const DESCRIPTION = `The total is wrong as soon as a **percentage discount** applies:

1. Add two items to the cart.
2. Enter \`SUMMER10\`.

\`\`\`ts
return cart.total - cart.total * rule.amount;
\`\`\`

- [x] Reproduced in staging
- [ ] Regression test

> Customers pay less than they should, see [the report](https://example.com/report).`;

const ITEM = { description: DESCRIPTION, milestone: 'Release 1.4' };
const ISSUE: EmailRow['issue'] = {
  ...{ ...ITEM, id: 12, iid: 12, title: 'Cart total ignores percentage discounts' },
  ...{ state: 'opened', assignees: ['Mei Chen', 'Jonas Weber'] },
  ...{ confidential: false, dueDate: '2027-03-01' },
};
const MERGE_REQUEST: EmailRow['mergeRequest'] = {
  ...{ ...ITEM, id: 7, iid: 7, title: 'Apply percentage discounts to the cart total' },
  ...{ state: 'opened', assignees: ['Mei Chen'], reviewers: ['Jonas Weber'] },
  ...{ sourceBranch: 'fix-discounts', targetBranch: 'main' },
};
const PIPELINE: EmailRow['pipeline'] = {
  ...{ id: 481, ref: 'fix-discounts', sha: SHA, status: 'failed' },
  failed: [
    { name: 'test', description: '2 of 214 tests failed', targetUrl: 'https://ci.example.com/481' },
    { name: 'lint', description: null, targetUrl: null },
  ],
};
const ROW: EmailRow = {
  ...{ id: 1, kind: 0, actor: { name: 'Priya Nair', username: 'priya.nair' } },
  project: { id: 3, name: 'Checkout', path: 'acme/checkout', title: 'Acme / Checkout' },
  ...{ issue: null, mergeRequest: null, snippet: null, note: null, pipeline: null },
  ...{ added: ['Mei Chen'], removed: ['Jonas Weber'], labels: ['bug'], from: null, to: SHA },
  ...{ formerPath: 'acme/shop/checkout', readers: [] },
};
const COMMITS = [
  { id: SHA, title: 'Apply percentage discounts' },
  { id: SHA.split('').reverse().join(''), title: 'Test discounts of 0 and 100 percent' },
];

const ALERT: AlertEmailItem = {
  ...{ id: 4, iid: 4, projectId: 3, projectPath: 'acme/checkout' },
  ...{ projectName: 'Acme / Checkout', projectOwnName: 'Checkout' },
  ...{ title: 'PodCrashLooping on web00', severity: 1, status: 0 },
  ...{ startedAt: new Date('2027-02-01T10:00:00Z'), endedAt: null, service: 'checkout-api' },
  ...{ monitoringTool: 'Prometheus', environment: 'production', hosts: ['web00', 'web01'] },
  ...{ eventCount: 13, news: 'firing', events: 12, accessLevel: ROLES.maintainer },
  description: 'Pod checkout-api-7d9f restarted 5 times in 10 minutes.\nLast exit code: 137',
  query: 'rate(kube_pod_container_status_restarts_total{namespace="shop"}[10m]) * 600 > 3',
  ...{ runbook: 'https://example.com/runbooks/pod-crash-looping', address: 'mei@example.com' },
};
const DIGEST: readonly [AlertEmailItem, ...AlertEmailItem[]] = [
  { ...ALERT, id: 5, iid: 5, title: 'Payment gateway unreachable', severity: 0, events: 3 },
  ALERT,
  { ...ALERT, id: 6, iid: 6, title: 'Latency above 2 seconds', severity: 2, events: 1 },
  { ...ALERT, id: 7, iid: 7, title: 'Certificate expires in 14 days', severity: 3, events: 1 },
  { ...ALERT, id: 8, iid: 8, title: 'Disk 91 % full on db01', news: 'recovery', events: 1 },
];

/** Emails with sample data by their kind, rendered as real ones. */
export function emailSamples(baseUrl: string): Record<string, () => EmailContent> {
  const kinds = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
  const notifications = kinds.map((kind) => [kind, () => notificationSample(kind, baseUrl)]);
  return {
    ...(Object.fromEntries(notifications) as Record<NotificationKind, () => EmailContent>),
    ...alertSamples(baseUrl),
    ...accountSamples(baseUrl),
  };
}

function notificationSample(kind: NotificationKind, baseUrl: string): EmailContent {
  const row = { ...ROW, kind: NOTIFICATION_KINDS[kind], ...targetOf(kind) };
  const pushed = kind === 'push_to_merge_request' ? { shown: COMMITS, total: 2 } : null;
  const facts = emailFacts(row, { title: 'Apply percentage discounts', pushed }, baseUrl);
  if (facts === null) throw new Error(`No sample of ${kind}`);
  const reader = { reason: reasonOf(kind), level: null, scope: null };
  return notificationEmail(facts, ruleSentence(facts, reader), `${baseUrl}/${TOKEN}`);
}

function reasonOf(kind: NotificationKind): number | null {
  if (kind.startsWith('relabel_')) return MAIL_REASONS.label_subscribed;
  return kind.startsWith('mention_') ? MAIL_REASONS.mentioned : null;
}

function targetOf(kind: NotificationKind): Partial<EmailRow> {
  if (kind === 'moved_project') return {};
  if (kind.endsWith('_pipeline')) return { pipeline: PIPELINE };
  if (kind.includes('merge_request') || kind === 'merge_when_pipeline_succeeds') {
    return { mergeRequest: MERGE_REQUEST };
  }
  if (kind !== 'new_note') return { issue: ISSUE };
  const note = { id: 90, body: DESCRIPTION, internal: false, sha: null, path: null, line: null };
  return { issue: ISSUE, note };
}

function alertSamples(baseUrl: string): Record<string, () => EmailContent> {
  const unsubscribe = { label: 'Unsubscribe', href: `${baseUrl}/${TOKEN}` };
  const options = { reasons: [{ text: alertReason(ALERT), unsubscribe }], baseUrl };
  const endedAt = new Date('2027-02-01T10:42:00Z');
  return {
    alert_firing: () => alertEmail([ALERT], options),
    alert_recovered: () => alertEmail([{ ...ALERT, news: 'recovery', endedAt }], options),
    alert_digest: () => alertEmail(DIGEST, options),
  };
}

function accountSamples(baseUrl: string): Record<string, () => EmailContent> {
  const to = { username: 'mei.chen', baseUrl };
  const [email, token] = ['mei@example.com', TOKEN];
  return {
    email_confirmation: () => accountEmail({ kind: 'email_confirmation', ...to, email, token }),
    email_changed: () => accountEmail({ kind: 'email_changed', ...to }),
    password_reset: () => accountEmail({ kind: 'password_reset', ...to, token }),
    password_changed: () => accountEmail({ kind: 'password_changed', ...to }),
  };
}
