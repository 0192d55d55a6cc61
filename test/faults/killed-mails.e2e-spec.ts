import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mailCipher } from '../../src/core/mail/mail-outbox.service.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { eventually } from '../support/eventually.js';
import { makeUser, unique } from '../support/factories.js';
import { newBrowser } from '../support/sign-in.js';
import type { FaultProcess } from './support/fault-process.js';
import { MailTrap } from './support/mail-trap.js';
import { redisCommand } from './support/redis-command.js';
import { FaultStack } from './support/stack.js';

const MAILS = 60;
const KILLS = 4;
const READERS = 6;
/** The server is tried again after 5 s, then 10 s, 20 s, …; the worker looks every 5 s. */
const UNTIL_TRIED_AGAIN = { seconds: 90 };
/** Of a worker, unless configured otherwise. */
const CONNECTIONS = 8;

let stack: FaultStack;
let trap: MailTrap;
let worker: FaultProcess | undefined;
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
beforeEach(async () => {
  trap = await MailTrap.start();
});
afterEach(async () => {
  await worker?.kill();
  await trap.goAway();
});
afterAll(() => stack.stop());

function startWorker(): FaultProcess {
  worker = stack.startWorker(undefined, { SMTP_URL: trap.url });
  return worker;
}

/** Emails that wait, as if the processes had just made them; answers their ids. */
async function makeMails(count: number): Promise<number[]> {
  const content = { subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };
  const encryptedContent = mailCipher(stack.config).encrypt(JSON.stringify(content));
  const rows = Array.from({ length: count }, () => ({
    recipient: `${unique('reader')}@example.com`,
    kind: 'test' as const,
    encryptedContent,
  }));
  const { identifiers } = await stack.dataSource.manager.insert(OutgoingMail, rows);
  return identifiers.map(({ id }) => id as number);
}

/** Asks for an email over HTTP as people do who forgot their password; answers the emails' ids. */
async function askForMails(): Promise<number[]> {
  const readers = [];
  for (let count = 0; count < READERS; count += 1) readers.push(await makeUser(stack));
  const emails = readers.map(({ email }) => email);
  for (const email of emails) {
    await newBrowser(stack).post('/users/password', { email }).expect(303);
  }
  const rows = await stack.rows<{ id: number }>(
    'SELECT id FROM outgoing_mails WHERE recipient = ANY($1)',
    [emails],
  );
  expect(rows).toHaveLength(READERS);
  return rows.map(({ id }) => id);
}

async function untilSent(ids: readonly number[], patience = { seconds: 30 }): Promise<void> {
  await eventually(async () => {
    const rows = await stack.rows<{ state: string }>(
      `SELECT state FROM outgoing_mails WHERE id = ANY($1) AND state <> 'sent'`,
      [ids],
    );
    expect(rows).toEqual([]);
  }, patience);
}

/** Ends the leases of a killed worker, which would expire after five minutes. */
async function endLeases(): Promise<number[]> {
  const rows = await stack.rows<{ id: number }>(
    `SELECT id FROM outgoing_mails WHERE state = 'queued' AND not_before > now()`,
  );
  await stack.rows(`UPDATE outgoing_mails SET not_before = now() WHERE state = 'queued'`);
  return rows.map(({ id }) => id);
}

function expectOnce(ids: readonly number[]): void {
  const copies = trap.copies();
  expect(ids.map((id) => copies.get(id))).toEqual(ids.map(() => 1));
}

describe(`a worker killed ${KILLS} times while it sends ${MAILS} mails`, () => {
  it('loses none, and sends none twice but those whose answer it did not live to note', async () => {
    const ids = await makeMails(MAILS);
    const underWay = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Every other time in the only window that SMTP leaves open: taken, but not answered.
      trap.isSilent = kill % 2 === 0;
      const running = startWorker();
      const enough = trap.taken.length + (trap.isSilent ? 2 : 3 + kill);
      await eventually(() => trap.taken.length >= enough, { seconds: 30, everyMs: 1 });
      await running.kill();
      for (const id of await endLeases()) underWay.add(id);
    }
    trap.answer();
    startWorker();
    await untilSent(ids, { seconds: 60 });
    const copies = trap.copies();
    const twice = ids.filter((id) => copies.get(id) !== 1);
    console.log(`${KILLS} kills: ${MAILS} mails sent, 0 lost, ${twice.length} more than once`);
    expect(ids.filter((id) => !copies.has(id))).toEqual([]);
    expect(twice.filter((id) => !underWay.has(id))).toEqual([]);
    expect(twice.length).toBeGreaterThanOrEqual(KILLS / 2);
    expect(twice.length).toBeLessThanOrEqual(KILLS * CONNECTIONS);
  });
});

describe('a mail server that is away', () => {
  it('gets every email when it is back, once, without manual steps', async () => {
    startWorker();
    await untilSent(await makeMails(2));
    await trap.goAway();
    const ids = await askForMails();
    await eventually(async () => {
      const rows = await stack.rows<object>(
        `SELECT id FROM outgoing_mails WHERE id = ANY($1) AND last_error LIKE '%ECONNREFUSED%'`,
        [ids],
      );
      expect(rows).not.toEqual([]);
    });
    await trap.comeBack();
    await untilSent(ids, UNTIL_TRIED_AGAIN);
    expectOnce(ids);
    const [attempts] = await stack.rows(
      'SELECT max(attempts) AS most FROM outgoing_mails WHERE id = ANY($1)',
      [ids],
    );
    expect(attempts).toEqual({ most: 1 });
  });
});

describe('a Redis that is away or wiped', () => {
  it('holds no request up that makes a mail, nor the mail', async () => {
    startWorker();
    await untilSent(await makeMails(2));
    await stack.servers.kill('queue');
    const begun = performance.now();
    const ids = await askForMails();
    const perRequest = (performance.now() - begun) / READERS;
    await untilSent(ids);
    expectOnce(ids);
    console.log(`without Redis: ${Math.round(perRequest)} ms per request for a mail`);
    expect(perRequest).toBeLessThan(2_000);
    await stack.servers.restart('queue');
  });

  it('costs no mail when it is wiped while mails are asked for', async () => {
    startWorker();
    await untilSent(await makeMails(2));
    const wiping = redisCommand(stack.servers.redisUrl, 'FLUSHALL');
    const first = await askForMails();
    await wiping;
    await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
    await stack.servers.kill('queue');
    await stack.servers.restart('queue');
    const ids = [...first, ...(await askForMails())];
    await untilSent(ids);
    expectOnce(ids);
  });
});

describe('a database that is lost while mails are with the server', () => {
  it('records afterwards that they were sent, and no one gets one twice', async () => {
    trap.isSilent = true;
    const ids = await makeMails(2);
    startWorker();
    await eventually(() => trap.taken.length === 2, { seconds: 30 });
    await stack.servers.kill('database');
    trap.answer();
    await eventually(async () => {
      const log = await readFile(join(stack.folder, 'worker.log'), 'utf8');
      for (const id of ids) expect(log).toContain(`Recording that email ${id} was sent is retried`);
    });
    await stack.servers.restart('database');
    await untilSent(ids);
    expectOnce(ids);
    const rows = await stack.rows('SELECT attempts FROM outgoing_mails WHERE id = ANY($1)', [ids]);
    expect(rows).toEqual([{ attempts: 1 }, { attempts: 1 }]);
  });
});
