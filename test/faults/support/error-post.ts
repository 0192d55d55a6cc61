import { Agent, request } from 'node:http';

const PATIENCE_MS = 60_000;

/** Status of a whole answer; `unsent` = nothing listened; `cut` = the connection ended before. */
export type PostedEvent = number | 'unsent' | 'cut';

/** Posts envelopes over kept connections, as SDKs do. */
export class EnvelopePoster {
  private readonly agent: Agent;

  constructor(connections: number) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Throws only when nothing happens for a minute. */
  post(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<PostedEvent> {
    const all = { ...headers, 'Content-Length': body.length };
    return new Promise((resolve, reject) => {
      const { agent } = this;
      const sent = request(url, { method: 'POST', agent, headers: all, timeout: PATIENCE_MS });
      sent.on('timeout', () => reject(new Error(`no answer within ${PATIENCE_MS} ms`)));
      sent.on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code === 'ECONNREFUSED' ? 'unsent' : 'cut');
      });
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', () => resolve('cut'));
      });
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
