import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mailCipher } from '../../src/core/mail/mail-outbox.service.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { startMailServer, type MailServer } from '../mail/mail-server.js';
import { eventually } from '../support/eventually.js';
import { FaultStack } from './support/stack.js';

let stack: FaultStack;
let server: MailServer;
beforeAll(async () => {
  [stack, server] = await Promise.all([FaultStack.start(), startMailServer()]);
});
afterAll(async () => {
  await stack.stop();
  await server.close();
});

const startWorker = () => stack.startWorker(undefined, { SMTP_URL: server.url });

async function enqueue(): Promise<void> {
  const email = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  await stack.dataSource.manager.insert(OutgoingMail, {
    recipient: 'sam@example.com',
    kind: 'test',
    encryptedContent: mailCipher(stack.config).encrypt(JSON.stringify(email)),
  });
}

describe('a mail whose worker is killed while the server takes it', () => {
  it('is sent again by the next worker, as the same mail', async () => {
    server.isSilent = true;
    await enqueue();
    const victim = startWorker();
    await eventually(() => server.received.length === 1, { seconds: 60 });
    await victim.kill();
    server.isSilent = false;
    // No other worker can take it before the lease of the dead worker ends.
    const [held] = await stack.rows<{ state: string; is_held: boolean }>(
      'SELECT state, not_before > now() AS is_held FROM outgoing_mails',
    );
    expect(held).toEqual({ state: 'queued', is_held: true });
    await stack.rows('UPDATE outgoing_mails SET not_before = now()');

    startWorker();
    await eventually(
      async () => {
        const rows = await stack.rows(
          'SELECT state, attempts, encrypted_content FROM outgoing_mails',
        );
        expect(rows).toEqual([{ state: 'sent', attempts: 2, encrypted_content: null }]);
      },
      { seconds: 60 },
    );
    const ids = server.received.map(({ parsed }) => parsed.messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});
