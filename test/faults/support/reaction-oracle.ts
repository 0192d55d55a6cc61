import { expect } from '@jest/globals';
import { mailCipher } from '../../../src/core/mail/mail-outbox.service.js';
import type { EmailContent } from '../../../src/core/mail/mail.js';
import { eventually } from '../../support/eventually.js';
import type { AlertPlace } from './alert-place.js';
import type { FaultStack } from './stack.js';

/** Nothing listens there, so that every email can be looked at in the end. */
export const NO_MAIL_SERVER = { SMTP_URL: 'smtp://127.0.0.1:1' };

/** Until nothing is left to be done about alerts. */
export async function untilReacted(stack: FaultStack, seconds = 90): Promise<void> {
  await eventually(
    async () => {
      const [left] = await stack.rows(
        `SELECT (SELECT count(*) FROM alert_reactions)::int
           + (SELECT count(*) FROM pending_alert_emails)::int AS n`,
      );
      expect(left).toEqual({ n: 0 });
    },
    { seconds, everyMs: 100 },
  );
}

const INCIDENTS_SQL = `
  SELECT count(*)::int AS alerts, count(DISTINCT a.issue_id)::int AS incidents,
    count(*) FILTER (WHERE i.state = 'closed')::int AS closed,
    (SELECT count(*)::int FROM issues WHERE project_id = $1) AS issues,
    (SELECT coalesce(max(iid), 0)::int FROM issues WHERE project_id = $1) AS "lastIid"
  FROM alerts a LEFT JOIN issues i ON i.id = a.issue_id AND i.issue_type = 'incident'
  WHERE a.project_id = $1`;

/** Each alert of the project has an incident of its own, and there are no others. */
export async function assertIncidents(
  stack: FaultStack,
  { project }: AlertPlace,
  wanted: { alerts: number; closed: number },
): Promise<void> {
  const { alerts, closed } = wanted;
  const [found] = await stack.rows(INCIDENTS_SQL, [project.id]);
  expect(found).toEqual({ alerts, closed, incidents: alerts, issues: alerts, lastIid: alerts });
}

const HISTORIES_SQL = `
  SELECT notes, count(*)::int AS n FROM (
    SELECT ARRAY(SELECT regexp_replace(body, ' from .*| #\\d+', '') FROM notes
      WHERE alert_id = a.id ORDER BY id) || ARRAY(SELECT body FROM notes
      WHERE issue_id = a.issue_id ORDER BY id) || ARRAY(SELECT 'event: ' || state
      FROM issue_state_events WHERE issue_id = a.issue_id ORDER BY id) AS notes
    FROM alerts a WHERE a.project_id = $1) h GROUP BY 1`;

/** Asserts that alerts and their incidents went through each step once. */
export async function assertEnded(
  stack: FaultStack,
  { project }: AlertPlace,
  alerts: number,
): Promise<void> {
  const found = await stack.rows(HISTORIES_SQL, [project.id]);
  const notes = [
    'logged an alert',
    'created incident for this alert',
    'logged a recovery alert',
    'changed the status to **Resolved**',
    'closed',
    'automatically closed this incident because the alert resolved',
    'event: closed',
  ];
  expect(found).toEqual([{ notes, n: alerts }]);
}

interface MailRow {
  id: number;
  recipient: string;
  content: string;
}

/** Lets each email be written at once: a digest could list fewer alerts than it counts. */
export async function writeEmailsAtOnce(stack: FaultStack): Promise<void> {
  await stack.rows(
    `INSERT INTO application_settings (name, value) VALUES ('alert_email_interval_seconds', '0')`,
  );
}

/** Returns the alerts in all waiting emails, with their readers; no email may have been sent. */
export async function waitingMails(stack: FaultStack): Promise<string[]> {
  const rows = await stack.rows<MailRow>(
    `SELECT id, recipient, encrypted_content AS content FROM outgoing_mails
     WHERE kind IN ('alert_firing', 'alert_recovered') ORDER BY id`,
  );
  const cipher = mailCipher(stack.config);
  return rows.flatMap(({ id, recipient, content }) => {
    const { subject, text } = JSON.parse(cipher.decrypt(content) ?? '') as EmailContent;
    const told = text.match(/^.*\(#\d+(?:, \d+ events)?\)$/gm);
    const rest = Number(/^(\d+) more alerts?$/m.exec(text)?.[1] ?? 0);
    const unlisted = Array.from({ length: rest }, (_, at) => `${id}, not listed: ${at}`);
    const number = / · Alert (#\d+)$/m.exec(text)?.[1] ?? '';
    return [...(told ?? [`${subject} ${number}`]), ...unlisted].map(
      (line) => `${recipient} ${line}`,
    );
  });
}
