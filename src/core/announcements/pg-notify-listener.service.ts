import { Socket } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Client } from 'pg';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { PING_SQL } from '../sql/ping.js';

const RECONNECT_MS = 500;

/**
 * Interval between two checks of the connection, and the timeout of a check. Firewalls drop idle
 * connections silently, and a dead server does not close them either.
 */
const PROOF_EVERY_MS = 2_000;
const PATIENCE_MS = 3_000;

/** Callbacks of a channel's subscriber. */
export interface PgNotifySubscriber {
  /** A trigger's or a process' announcement, some milliseconds after the commit. */
  onMessage(payload: string): void;
  /** Announcements arrive from now on; what was missed before has to be read. */
  onConnect(): void;
  /** Announcements can be missed from now on. */
  onDisconnect(): void;
}

/**
 * Connection of the process that listens to the announcements of the database (NOTIFY), by which
 * changes reach all processes immediately. Reconnects automatically.
 */
@Injectable()
export class PgNotifyListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PgNotifyListener.name);
  private readonly subscribers = new Map<string, PgNotifySubscriber>();
  private client: Client | null = null;
  private isListening = false;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;
  private nextProof: NodeJS.Timeout | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Called by providers while they are made; `channel` is a fixed name of ours. */
  subscribe(channel: string, subscriber: PgNotifySubscriber): void {
    this.subscribers.set(channel, subscriber);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    clearTimeout(this.nextProof);
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    const socket = new Socket();
    const client = new Client({
      stream: () => socket,
      connectionString: this.config.databaseUrl,
      application_name: 'guildhall announcements',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    this.client = client;
    client.on('notification', ({ channel, payload }) => {
      this.subscribers.get(channel)?.onMessage(payload ?? '');
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, null));
    try {
      await client.connect();
      await client.query([...this.subscribers.keys()].map((name) => `LISTEN ${name}`).join('; '));
      this.isListening = true;
      for (const subscriber of this.subscribers.values()) subscriber.onConnect();
      this.proveLater(client, socket);
    } catch (error) {
      this.lost(client, error);
      // Already failed; it may not even have been connected.
      await client.end().catch(() => undefined);
    }
  }

  private proveLater(client: Client, socket: Socket): void {
    this.nextProof = setTimeout(() => {
      client.query(PING_SQL).then(
        () => {
          if (this.client === client && !this.stopped) this.proveLater(client, socket);
        },
        (error: unknown) => {
          this.lost(client, error);
          // A dead peer would not answer a farewell.
          socket.destroy();
        },
      );
    }, PROOF_EVERY_MS);
  }

  private lost(client: Client, error: unknown): void {
    if (this.client !== client || this.stopped) return;
    this.client = null;
    clearTimeout(this.nextProof);
    for (const subscriber of this.subscribers.values()) subscriber.onDisconnect();
    const reason = error === null ? 'it was closed' : String(error);
    this.logger.warn(`No connection to listen for announcements on (${reason})`);
    // Immediately after a connection that worked: changes must arrive within a second.
    this.retry = setTimeout(() => void this.listen(), this.isListening ? 0 : RECONNECT_MS);
    this.isListening = false;
  }
}
