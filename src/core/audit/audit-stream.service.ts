import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuditStreamConfig } from '../../config/services.js';
import { Clock } from '../clock.js';
import { inBatches, RunEvery, type IsStopping } from '../durable-work/periodic-task.js';
import { processCounter } from '../metrics/metrics-registry.js';
import {
  AuditDeliveriesRepository,
  type LeasedDelivery,
  type StreamedAuditEvent,
} from './audit-deliveries.repository.js';

/** The longest time that an attempt can wait for the other system. */
const SEND_TIMEOUT_MS = 20_000;
/** Facility 13 (log audit), severity 5 (notice), as RFC 5424 §6.2.1 combines them. */
const PRIORITY = 13 * 8 + 5;
/** Receivers take at least 2,048 bytes (RFC 5424 §6.1); common ones take this much. */
const MAX_SYSLOG_BYTES = 8_192;

/** Sends events to the configured system. Throws when it does not take all of them in time. */
async function sendAuditEvents(
  { url, token }: AuditStreamConfig,
  events: readonly StreamedAuditEvent[],
): Promise<void> {
  const { protocol, hostname: host, port } = new URL(url);
  const address = { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  if (protocol === 'syslog+udp:') return sendDatagrams(address, events.map(syslogMessage));
  if (protocol === 'syslog+tcp:') return sendFrames(address, events.map(syslogMessage));
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ events }),
    redirect: 'error',
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the response was ${response.status}`);
}

/** Returns a message of RFC 5424 whose text is the event as JSON in ASCII. */
export function syslogMessage(event: StreamedAuditEvent): string {
  const time = new Date(event.created_at).toISOString();
  const host = printable(hostname(), 255);
  const name = printable(event.event_name, 32);
  const head = `<${PRIORITY}>1 ${time} ${host} guildhall ${process.pid} ${name} - `;
  const text = asciiJson(event);
  if (head.length + text.length <= MAX_SYSLOG_BYTES) return head + text;
  return head + asciiJson({ ...event, details: { truncated: true } });
}

function printable(text: string, length: number): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, length) || '-';
}

function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

interface Address {
  host: string;
  port: number;
}

/** Frames messages by their length (RFC 6587 §3.4.1). TCP confirms the connection, not the reading. */
async function sendFrames({ host, port }: Address, messages: readonly string[]): Promise<void> {
  const socket = connect({ host, port });
  socket.setTimeout(SEND_TIMEOUT_MS, () =>
    socket.destroy(new Error('the receiver did not respond')),
  );
  await once(socket, 'connect');
  socket.end(messages.map((message) => `${message.length} ${message}`).join(''));
  socket.resume();
  await once(socket, 'close');
}

async function sendDatagrams({ host, port }: Address, messages: readonly string[]): Promise<void> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
      });
    }
  } finally {
    socket.close();
  }
}

const BATCH = 100;
/** Attempts of an event together with others, before it is sent alone. */
const SHARED_ATTEMPTS = 3;
/** A system that takes none of these events in a row does not work at all. */
const MAX_FAILURES = 3;

const streamed = processCounter({
  name: 'guildhall_audit_events_streamed_total',
  help: 'Attempts to send audit events, by outcome: sent or failed',
  labelNames: ['outcome'],
});

/**
 * Sends audit events to AUDIT_STREAM_URL, each at least once: those that the other system does not take
 * stay in the database and are sent again a minute later. When this fails repeatedly, each is sent alone, so
 * that one that is refused keeps no others waiting.
 */
@Injectable()
export class AuditStream {
  private readonly logger = new Logger(AuditStream.name);

  constructor(
    private readonly deliveries: AuditDeliveriesRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'auditStream'>,
  ) {}

  @RunEvery({ ms: 5_000, failureMessage: 'Sending audit events failed' })
  async sendDue(isStopping: IsStopping): Promise<void> {
    const { auditStream } = this.config;
    if (auditStream === undefined) return;
    await inBatches(BATCH, isStopping, async () => {
      const leased = await this.deliveries.lease(BATCH);
      if (leased.length > 0) await this.send(auditStream, leased);
      return leased.length;
    });
  }

  private async send(target: AuditStreamConfig, leased: readonly LeasedDelivery[]): Promise<void> {
    try {
      await post(target, leased);
    } catch (error) {
      if (leased.some(({ attempts }) => attempts > SHARED_ATTEMPTS)) {
        await this.sendEach(target, leased);
      }
      throw error;
    }
    await this.deliveries.deleteSent(leased);
  }

  /** Sends until the leases are about to end, or nothing is taken. */
  private async sendEach(
    target: AuditStreamConfig,
    leased: readonly LeasedDelivery[],
  ): Promise<void> {
    let failures = 0;
    for (const delivery of leased) {
      if (delivery.leaseEnd.getTime() - this.clock.now().getTime() < SEND_TIMEOUT_MS) return;
      try {
        await post(target, [delivery]);
        await this.deliveries.deleteSent([delivery]);
        failures = 0;
      } catch (error) {
        this.logger.warn(`Audit event ${delivery.event.id} was not taken: ${String(error)}`);
        await this.deliveries.postpone(delivery);
        failures += 1;
        if (failures === MAX_FAILURES) return;
      }
    }
  }
}

/** Sends events and counts what became of them. */
async function post(target: AuditStreamConfig, leased: readonly LeasedDelivery[]): Promise<void> {
  try {
    await sendAuditEvents(
      target,
      leased.map(({ event }) => event),
    );
    streamed.inc({ outcome: 'sent' }, leased.length);
  } catch (error) {
    streamed.inc({ outcome: 'failed' }, leased.length);
    throw error;
  }
}
