import { Agent, request, type IncomingMessage } from 'node:http';

const PATIENCE_MS = 60_000;

/** A whole answer. */
export interface WebhookAnswer {
  status: number;
  body: unknown;
  /** Seconds after which the server wants to be asked again. */
  retryAfter: number | null;
}

/** `unsent` = nothing listened; `cut` = the connection ended before a whole answer. */
export type Posted = WebhookAnswer | 'unsent' | 'cut';

/** Posts to webhooks over kept connections, as monitoring tools do. */
export class WebhookPoster {
  private readonly agent: Agent;

  constructor(connections: number) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Throws only when nothing happens for a minute. */
  post({ url, token }: { url: string; token: string }, body: unknown): Promise<Posted> {
    const text = JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    };
    return new Promise((resolve, reject) => {
      const { agent } = this;
      const sent = request(url, { method: 'POST', agent, headers, timeout: PATIENCE_MS });
      sent.on('timeout', () => reject(new Error(`no answer within ${PATIENCE_MS} ms`)));
      sent.on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code === 'ECONNREFUSED' ? 'unsent' : 'cut');
      });
      sent.on('response', (response) => {
        readAnswer(response).then(resolve, () => resolve('cut'));
      });
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Returns true for a response of any status. */
export function isAnswered(posted: Posted): posted is WebhookAnswer {
  return typeof posted !== 'string';
}

async function readAnswer(response: IncomingMessage): Promise<WebhookAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const retryAfter = response.headers['retry-after'];
  return {
    status: response.statusCode ?? 0,
    body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown,
    retryAfter: retryAfter === undefined ? null : Number(retryAfter),
  };
}
