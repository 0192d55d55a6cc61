import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { PgNotifyListener } from '../../src/core/announcements/pg-notify-listener.service.js';
import { testConfig } from '../support/config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** Passes connections on to the database; those that are silenced stay open and carry nothing. */
class Firewall {
  private readonly sockets = new Set<Socket>();
  private constructor(
    private readonly server: Server,
    readonly databaseUrl: string,
  ) {}

  static async before(databaseUrl: string): Promise<Firewall> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = String((server.address() as AddressInfo).port);
    const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: own });
    const firewall = new Firewall(server, url.href);
    server.on('connection', (client) => {
      firewall.join(client, connect(Number(port), hostname));
    });
    return firewall;
  }

  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, database: Socket): void {
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(database);
    database.pipe(client);
  }
}

let database: TestDatabase;
let firewall: Firewall;
let announcements: PgNotifyListener;
let heard: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  firewall = await Firewall.before(database.url);
  const reached = { name: database.name, url: firewall.databaseUrl };
  const baseUrl = 'http://localhost';
  announcements = new PgNotifyListener(testConfig({ database: reached, baseUrl, dataDir: '/tmp' }));
  heard = [];
  announcements.subscribe('settings', {
    onMessage: (payload) => void heard.push(payload),
    onConnect: () => void heard.push('connected'),
    onDisconnect: () => void heard.push('lost'),
  });
  await announcements.onApplicationBootstrap();
});
afterEach(async () => {
  await announcements.onApplicationShutdown();
  await firewall.close();
  await database.drop();
});

async function announce(payload: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`SELECT pg_notify('settings', $1)`, [payload]);
  await client.end();
}

describe('the connection on which a process listens', () => {
  it('reconnects when it silently stops transmitting', async () => {
    await announce('first');
    await eventually(() => expect(heard).toEqual(['connected', 'first']));
    firewall.silence();
    await announce('unheard');
    await eventually(() => expect(heard.slice(2)).toEqual(['lost', 'connected']), { seconds: 15 });
    await announce('second');
    await eventually(() => expect(heard.at(-1)).toBe('second'));
  });
});
