import type { INestApplicationContext } from '@nestjs/common';
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../src/core/activity/notifications.repository.js';
import { startMailServer, type ReceivedMail } from '../mail/mail-server.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { startTestWorker } from '../support/worker.js';

const PATIENCE = { seconds: 90, everyMs: 50 };

/** A worker of the app and the server that its emails arrive at. */
export interface MailWatch {
  worker: INestApplicationContext;
  /**
   * All emails that came of it, once `count` notifications of the kind are there and nothing waits.
   */
  mailsOf(
    kind: NotificationKind,
    act: () => Promise<unknown>,
    count?: number,
  ): Promise<ReceivedMail[]>;
  /** Does something and forgets the emails about it. */
  settle(act: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

const PROGRESS_SQL = `
  SELECT (SELECT count(*) FROM notifications WHERE id > $1 AND kind = $2)::int AS told,
    (SELECT count(*) FROM notifications WHERE mailed_at IS NULL)::int AS waiting,
    (SELECT count(*) FROM outgoing_mails WHERE state = 'queued')::int AS queued`;

/** Starts both; close them before the app. */
export async function watchMails(app: TestApp): Promise<MailWatch> {
  const server = await startMailServer();
  const worker = await startTestWorker(app, { smtpUrl: server.url });
  const rows = (sql: string, values: unknown[] = []): Promise<Record<string, number>[]> =>
    app.dataSource.query(sql, values);

  async function sent(since: number, kind: number, count: number): Promise<ReceivedMail[]> {
    await eventually(async () => {
      const [now] = await rows(PROGRESS_SQL, [since, kind]);
      if (now?.['told'] === count && now['waiting'] === 0 && now['queued'] === 0) return;
      throw new Error(`Of ${count} notifications: ${JSON.stringify(now)}`);
    }, PATIENCE);
    return server.received.splice(0);
  }

  return {
    worker,
    mailsOf: async (kind, act, count = 1) => {
      const [last] = await rows('SELECT coalesce(max(id), 0) AS id FROM notifications');
      await act();
      return sent(last?.['id'] ?? 0, NOTIFICATION_KINDS[kind], count);
    },
    settle: async (act) => {
      await act();
      await sent(0, 0, 0);
    },
    close: async () => {
      await worker.close();
      await server.close();
    },
  };
}
