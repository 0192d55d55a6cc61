import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setAlertSettings } from '../support/alert-factories.js';
import { eventually } from '../support/eventually.js';
import { makeUser } from '../support/factories.js';
import { NO_MAIL_SERVER, waitingMails, writeEmailsAtOnce } from './support/reaction-oracle.js';
import type { FaultProcess } from './support/fault-process.js';
import { FaultStack } from './support/stack.js';

const ALERTS = 3_000;
const KILLS = 4;

let stack: FaultStack;
beforeAll(async () => {
  stack = await FaultStack.start();
  await writeEmailsAtOnce(stack);
});
afterAll(() => stack.stop());

/** A personal project whose owner is emailed; each of its alerts wants an incident and an email. */
async function storm(): Promise<void> {
  const { namespaceId } = await makeUser(stack);
  const [project] = await stack.rows<{ id: number }>(
    `INSERT INTO projects (namespace_id, name, path, repository_storage, visibility)
     VALUES ($1, 'Storm', 'storm', 'default', 0) RETURNING id`,
    [namespaceId],
  );
  if (project === undefined) throw new Error('The project was not made');
  await setAlertSettings(stack, project, { createIssue: true, sendEmail: true });
  await stack.rows(
    `WITH made AS (
       INSERT INTO alerts (project_id, iid, title, severity, payload, started_at)
       SELECT $1, n, 'Alert ' || n, 0, '{}', now() FROM generate_series(1, $2::integer) AS n
       RETURNING id
     ) INSERT INTO alert_reactions (alert_id, kind)
       SELECT id, kind FROM made, unnest('{open_incident,mail_firing}'::text[]) AS k (kind)`,
    [project.id, ALERTS],
  );
}

function startWorker(): FaultProcess {
  return stack.startWorker(undefined, NO_MAIL_SERVER);
}

async function waiting(): Promise<number> {
  const [row] = await stack.rows<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM alert_reactions)::int
       + (SELECT count(*) FROM pending_alert_emails)::int AS waiting`,
  );
  return row?.waiting ?? 0;
}

describe('a storm of alerts whose workers are killed', () => {
  it('ends with one incident and one note for each alert, of which one mail tells', async () => {
    await storm();
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = await waiting();
      const victims = [startWorker(), startWorker()];
      await eventually(async () => expect(await waiting()).toBeLessThan(before), {
        seconds: 60,
        everyMs: 5,
      });
      await Promise.all(victims.map((victim) => victim.kill()));
    }
    expect(await waiting()).toBeGreaterThan(0);
    startWorker();
    await eventually(async () => expect(await waiting()).toBe(0), { seconds: 90 });
    const [counts] = await stack.rows<object>(
      `SELECT count(*)::int AS issues, max(i.iid)::int AS last,
         (SELECT count(DISTINCT issue_id)::int FROM alerts) AS linked,
         (SELECT count(DISTINCT alert_id)::int FROM notes) AS noted,
         (SELECT count(*)::int FROM notes) AS notes
       FROM issues i`,
    );
    const each = { issues: ALERTS, last: ALERTS, linked: ALERTS };
    expect(counts).toEqual({ ...each, noted: ALERTS, notes: ALERTS });
    const mails = await waitingMails(stack);
    expect(new Set(mails).size).toBe(mails.length);
    expect(mails).toHaveLength(ALERTS);
  });
});
