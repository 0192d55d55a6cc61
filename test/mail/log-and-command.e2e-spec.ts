import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { createLog, NestLog } from '../../src/core/logger.js';
import { MailOutbox } from '../../src/core/mail/mail-outbox.service.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { WorkerModule } from '../../src/worker.module.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { startMailServer, type MailServer } from './mail-server.js';

describe('mail without a server', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('is written to the log as one line', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const mail = { subject: 'A\r\nB', text: 'Hello\n{"level":"error"}\n', html: '<p>' } as const;
    await app.dataSource.transaction((tx) =>
      app.app.get(MailOutbox).enqueue(tx, { to: 'sam@example.com', kind: 'test', ...mail }),
    );
    const worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(app.config), {
      logger: new NestLog(log),
    });
    await eventually(async () => {
      expect(await app.dataSource.manager.findBy(OutgoingMail, { state: 'sent' })).toHaveLength(1);
    });
    await worker.close();
    const told = lines.filter((line) => line.includes('sam@example.com'));
    expect(told).toHaveLength(1);
    expect(told[0]?.trimEnd()).not.toContain('\n');
    expect(JSON.parse(told[0] ?? '')).toMatchObject({
      level: 'info',
      context: 'MailTransport',
      msg: 'SMTP_URL is not set. Mail to sam@example.com: A B\n\nHello\n{"level":"error"}\n',
    });
  });
});

describe('guildhall mail test', () => {
  let app: OwnTestApp;
  let server: MailServer;
  beforeAll(async () => {
    [app, server] = await Promise.all([startTestApp(), startMailServer()]);
  });
  afterAll(async () => {
    await Promise.all([app.close(), server.close()]);
  });

  const run = (args: string[], env: Record<string, string> = {}) => {
    const { databaseUrl: url, queuePrefix: name, dataDir } = app.config;
    return runGuildhall(args, { env: cliEnvironment({ name, url }, dataDir, env) });
  };

  it('sends one mail', async () => {
    const env = { SMTP_URL: server.url, MAIL_FROM: 'ops@guildhall.example' };
    const result = await run(['--json', 'mail', 'test', 'sam@example.com'], env);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({
      sent: true,
      to: 'sam@example.com',
      from: 'ops@guildhall.example',
      response: '250 OK: message queued',
    });
    expect(server.received.map(({ parsed }) => parsed.subject)).toEqual([
      'Test email from Guildhall',
    ]);
  });

  it('prints the response of the server', async () => {
    server.refusals.push({ to: 'sam@example.com', code: 550, text: 'no such mailbox' });
    const result = await run(['mail', 'test', 'sam@example.com'], { SMTP_URL: server.url });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('no such mailbox');
  });

  it('prints what is missing', async () => {
    const unset = await run(['mail', 'test', 'sam@example.com']);
    expect(unset).toMatchObject({
      code: 1,
      stderr: 'guildhall: SMTP_URL is not set: emails are written to the log of the worker\n',
    });
    const wrong = await run(['mail', 'test', 'nobody'], { SMTP_URL: server.url });
    expect(wrong.stderr).toBe('guildhall: nobody is not an email address\n');
  });
});
