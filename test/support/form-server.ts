import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server took. */
export interface ReceivedForm {
  path: string;
  contentType: string;
  fields: Record<string, string>;
}

type Answer = (form: ReceivedForm, response: ServerResponse) => void;

/** A service that takes forms; `answer` may be set anew at any time. */
export interface FormServer {
  url: string;
  received: ReceivedForm[];
  answer: Answer;
  close(): Promise<void>;
}

/** Starts a service on a port of its own. */
export async function startFormServer(answer: Answer): Promise<FormServer> {
  const server = createServer((request, response) => void take(request, response));
  const started: Omit<FormServer, 'url' | 'close'> = { received: [], answer };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = {
      path: `${request.method} ${request.url}`,
      contentType: String(request.headers['content-type']),
      fields: Object.fromEntries(new URLSearchParams(await text(request))),
    };
    started.received.push(form);
    started.answer(form, response);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return Object.assign(started, { url: `http://127.0.0.1:${port}`, close });
}
