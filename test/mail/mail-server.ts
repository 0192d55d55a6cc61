import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** An email as the server got it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header and body as they came. */
  raw: string;
  parsed: ParsedMail;
}

/** Error response of a mail server. */
export interface Refusal {
  /** For emails to this address only. */
  to: string;
  code: number;
  text: string;
}

/** An SMTP server of a test. */
export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** Answers to the next emails, one each; then they are taken. */
  refusals: Refusal[];
  /** Takes emails, but never says so while it is true. */
  isSilent: boolean;
  close(): Promise<void>;
}

/** Starts a server that takes emails for everyone, on a free port unless one is given. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refusals: Refusal[] = [];
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  const mailServer: MailServer = { url: '', received, refusals, isSilent: false, close };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _, callback) => {
      const index = refusals.findIndex(({ to }) => to === address);
      const refusal = index === -1 ? undefined : refusals.splice(index, 1)[0];
      callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        void simpleParser(raw).then((parsed) => {
          received.push({ from, to, raw, parsed });
          if (!mailServer.isSilent) callback();
        }, callback);
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address() as AddressInfo;
  mailServer.url = `smtp://127.0.0.1:${address.port}`;
  return mailServer;
}
