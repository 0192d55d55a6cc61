import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

const HOST = '127.0.0.1';

/** An SMTP server that goes away, comes back at its address, and may take emails without a word. */
export class MailTrap {
  /** IDs of the emails whose content has come in, in this order, whether or not it was answered. */
  readonly taken: number[] = [];
  /** Addresses of those emails. */
  readonly recipients: string[] = [];
  /** Takes emails and does not answer until `answer`. */
  isSilent = false;
  private unanswered: (() => void)[] = [];
  private readonly sockets = new Set<Socket>();
  private server: SMTPServer | null = null;
  private port = 0;

  static async start(): Promise<MailTrap> {
    const trap = new MailTrap();
    await trap.comeBack();
    return trap;
  }

  get url(): string {
    return `smtp://${HOST}:${this.port}`;
  }

  async comeBack(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, { envelope }, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.recipients.push(...envelope.rcptTo.map(({ address }) => address));
          this.taken.push(mailId(Buffer.concat(chunks).toString('utf8')));
          if (this.isSilent) this.unanswered.push(callback);
          else callback();
        });
      },
    });
    // Clients that are killed say no farewell.
    server.on('error', () => undefined);
    server.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.listen(this.port, HOST);
    await once(server.server, 'listening');
    this.port = (server.server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Ends all connections and listens no more. */
  async goAway(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server?.close(() => resolve()));
    this.unanswered = [];
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Says about all emails that it has taken them. */
  answer(): void {
    this.isSilent = false;
    for (const callback of this.unanswered.splice(0)) callback();
  }

  /** Returns the number of copies of each email. */
  copies(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const id of this.taken) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  }
}

/** Of the row that the email was, every attempt bears it; 0 for emails about notifications. */
function mailId(content: string): number {
  const [, id] = /^Message-ID:\s*<(mail-\d+\.|\w)/im.exec(content) ?? [];
  if (id === undefined) throw new Error(`A mail without our Message-ID:\n${content.slice(0, 500)}`);
  return Number(/^mail-(\d+)/.exec(id)?.[1] ?? 0);
}
