import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { MailDay, OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';

const TOKEN = 'metrics-metrics-metrics';

describe('the metrics', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { METRICS_TOKEN: TOKEN } });
  });
  afterAll(() => app.close());

  const read = () => request(app.url).get('/-/metrics').set('authorization', `Bearer ${TOKEN}`);

  it('include emails of all processes', async () => {
    const queuedAt = new Date(Date.now() - 100_000);
    const mail = {
      recipient: 'sam@example.com',
      kind: 'test',
      encryptedContent: 'encrypted',
      queuedAt,
    };
    await app.dataSource.manager.insert(OutgoingMail, [
      mail,
      { ...mail, lastError: 'later' },
      { ...mail, state: 'failed' },
    ]);
    await app.dataSource.manager.insert(MailDay, [
      { day: '2026-03-01', sent: 40, retried: 2 },
      { day: '2026-03-02', sent: 2, failed: 1 },
    ]);
    await read();
    const { text, headers } = await read().expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = text.split('\n');
    expect(
      lines.filter((line) => /^guildhall_(mails|notices)(_total|_waiting)?[ {]/.test(line)),
    ).toEqual([
      'guildhall_mails{state="waiting"} 1',
      'guildhall_mails{state="retrying"} 1',
      'guildhall_mails{state="failed"} 1',
      'guildhall_notices_waiting 0',
      'guildhall_mails_total{outcome="sent"} 42',
      'guildhall_mails_total{outcome="failed"} 1',
      'guildhall_mails_total{outcome="withheld"} 0',
      'guildhall_mails_total{outcome="retried"} 2',
    ]);
    const age = /^guildhall_mails_oldest_waiting_seconds (.*)$/m.exec(text)?.[1];
    expect(Number(age)).toBeGreaterThanOrEqual(100);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('sam@example.com');
  });

  it('are for those with their credential only', async () => {
    const refusal = { message: '401 Unauthorized' };
    await request(app.url).get('/-/metrics').expect(401, refusal);
    await request(app.url).get('/-/metrics').set('authorization', 'Bearer no').expect(401);
  });

  it('are nowhere unless they have a credential', async () => {
    const plain = await startTestApp();
    await request(plain.url).get('/-/metrics').set('authorization', 'Bearer ').expect(404);
    await plain.close();
  });
});
