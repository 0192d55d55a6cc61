import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { freePort } from '../../../deploy/local/ports.js';

interface ReceivedEvent {
  event_name: string;
  author_id: number;
}

/** The system that audit events are streamed to, which can be away or refuse events of a user. */
export class AuditReceiver {
  readonly taken: ReceivedEvent[] = [];
  /** User whose events it does not take. */
  refusedUser: number | undefined;
  private server: Server | undefined;

  private constructor(private readonly port: number) {}

  /** It is away at first. */
  static async make(): Promise<AuditReceiver> {
    return new AuditReceiver(await freePort());
  }

  /** Variables of the processes that stream to it. */
  get env(): NodeJS.ProcessEnv {
    return { AUDIT_STREAM_URL: `http://127.0.0.1:${this.port}/audit` };
  }

  async comeBack(): Promise<void> {
    this.server = createServer((request, response) => {
      void json(request).then((body) => {
        const { events } = body as { events: ReceivedEvent[] };
        const isRefused = events.some(({ author_id: author }) => author === this.refusedUser);
        if (!isRefused) this.taken.push(...events);
        response.writeHead(isRefused ? 400 : 204).end();
      });
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async goAway(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}
