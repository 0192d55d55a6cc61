import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Config, parseConfig } from '../../src/config/env.js';
import { AuditDelivery, AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { syslogMessage } from '../../src/core/audit/audit-stream.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeOwnedGroup } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

interface Call {
  authorization: string | undefined;
  events: Record<string, unknown>[];
}

describe('the audit stream', () => {
  const calls: Call[] = [];
  let status = 503;
  let refusedPath: string | undefined;
  const webhook = createHttpServer((request: IncomingMessage, response) => {
    const { authorization } = request.headers;
    void json(request).then((body) => {
      const { events } = body as Pick<Call, 'events'>;
      calls.push({ authorization, events });
      const isRefused = events.some(({ entity_path: path }) => path === refusedPath);
      response.writeHead(isRefused ? 400 : status).end();
    });
  });
  let app: OwnTestApp;
  let owner: MadeActor;
  let url: string;
  beforeAll(async () => {
    webhook.listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/audit`;
    app = await startTestApp({ env: { AUDIT_STREAM_URL: url, AUDIT_STREAM_TOKEN: 'siem-token' } });
    owner = await makeActor(app);
  });
  afterAll(async () => {
    webhook.close();
    await app.close();
  });

  const waiting = (): Promise<number> => app.dataSource.manager.count(AuditDelivery);
  const change = async (): Promise<{ id: number; fullPath: string }> => {
    const group = await makeOwnedGroup(app, owner, { visibility: 'public' });
    await owner.api.put(`/groups/${group.id}`, { visibility: 'private' }).expect(200);
    return group;
  };
  /** Lets a worker send until `isDone`; what an earlier one has leased is due at once. */
  async function sendUntil(
    isDone: () => Promise<void>,
    auditStream: NonNullable<Config['auditStream']>,
  ): Promise<void> {
    await app.dataSource.query("UPDATE audit_deliveries SET not_before = now() - interval '1 s'");
    const worker = await startTestWorker(app, { auditStream });
    try {
      await eventually(isDone);
    } finally {
      await worker.close();
    }
  }
  const nothingWaits = async (): Promise<void> => expect(await waiting()).toBe(0);

  it('keeps events until the webhook has taken them', async () => {
    const group = await change();
    const count = await waiting();
    expect(count).toBeGreaterThan(0);
    const auditStream = { url, token: 'siem-token' };
    await sendUntil(async () => expect(calls).toHaveLength(1), auditStream);
    expect(await waiting()).toBe(count);
    status = 204;
    await sendUntil(nothingWaits, auditStream);
    expect(calls).toHaveLength(2);
    expect(calls[1]?.authorization).toBe('Bearer siem-token');
    expect(calls[1]?.events).toEqual(calls[0]?.events);
    expect(calls[1]?.events.at(-1)).toMatchObject({
      id: expect.any(Number),
      event_name: 'group_updated',
      author_id: owner.user.id,
      author_name: owner.user.name,
      entity_type: 'Group',
      entity_id: group.id,
      entity_path: group.fullPath,
      ip_address: '127.0.0.1',
      details: { visibility: { from: 'public', to: 'private' } },
    });
  });

  it('keeps one event that is refused from holding up the others', async () => {
    calls.length = 0;
    const [bad, good] = [await change(), await change()];
    refusedPath = bad.fullPath;
    await app.dataSource.query('UPDATE audit_deliveries SET attempts = 3');
    const refused = (): Promise<number> =>
      app.dataSource.manager.countBy(AuditEvent, { entityPath: bad.fullPath });
    const onlyRefusedWait = async (): Promise<void> =>
      expect(await waiting()).toBe(await refused());
    await sendUntil(onlyRefusedWait, { url });
    const taken = calls.filter(({ events: [event] }) => event?.['entity_path'] === good.fullPath);
    expect(taken.map(({ events }) => events.length)).toContain(1);
    const later = await app.dataSource.manager.find(AuditDelivery);
    const soonest = Math.min(...later.map(({ notBefore }) => notBefore.getTime()));
    expect(soonest).toBeGreaterThan(Date.now() + 200_000);
    refusedPath = undefined;
    await sendUntil(nothingWaits, { url });
  });

  it('sends to syslog over TCP and UDP', async () => {
    const received: string[] = [];
    const tcp = createServer((socket) => void text(socket).then((all) => received.push(all)));
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const group = await change();
    await sendUntil(nothingWaits, { url: `syslog+tcp://127.0.0.1:${port}` });
    tcp.close();
    const stream = await eventually(() => {
      expect(received).toHaveLength(1);
      return received[0] ?? '';
    });
    const [length = ''] = /^\d+/.exec(stream) ?? [];
    const first = stream.slice(length.length + 1, length.length + 1 + Number(length));
    expect(first).toMatch(/^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ guildhall \d+ \w+ - \{.*\}$/);
    expect(stream).toContain(`"entity_path":"${group.fullPath}"`);
    const udp: DatagramSocket = createSocket('udp4');
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const message = once(udp, 'message');
    await change();
    await sendUntil(nothingWaits, { url: `syslog+udp://127.0.0.1:${udp.address().port}` });
    expect(String((await message)[0])).toMatch(/^<109>1 /);
    udp.close();
  });

  it('writes events in ASCII, without details that are too long', () => {
    const event = {
      id: 1,
      created_at: '2026-03-01T00:00:00Z',
      event_name: 'made up ñ',
      name: 'Ä\n',
    };
    expect(syslogMessage(event)).toMatch(/ madeup - \{.*"name":"\\u00c4\\n"\}$/);
    const long = syslogMessage({ ...event, details: { text: 'x'.repeat(9_000) } });
    expect(long).toContain('"details":{"truncated":true}');
  });

  it('refuses addresses that cannot work', () => {
    const env = { DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'none' };
    const parse = (AUDIT_STREAM_URL: string) => () => parseConfig({ ...env, AUDIT_STREAM_URL });
    expect(parse('syslog+udp://host')).toThrow('AUDIT_STREAM_URL must name the port');
    expect(parse('https://me:secret@host/')).toThrow('must have no credentials');
    expect(parse('ftp://host/')).toThrow('must be a URL that starts with');
  });
});
