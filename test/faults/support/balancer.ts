import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Passes requests on to web processes in turn, and never sends one twice. */
export class Balancer {
  private readonly server: Server = createServer((incoming, response) => {
    this.pass(incoming, response);
  });
  private readonly agent = new Agent({ keepAlive: true });
  private ports: number[] = [];
  private turn = 0;

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(port: number): void {
    this.ports.push(port);
  }

  remove(port: number): void {
    this.ports = this.ports.filter((other) => other !== port);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
    await once(this.server, 'close');
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    this.turn += 1;
    const { method, url: path, headers } = incoming;
    const port = this.ports[this.turn % this.ports.length];
    const options = { host: '127.0.0.1', port, method, path, headers, agent: this.agent };
    const sent = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    sent.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`${port}: ${String(error)}`);
    });
    pipeline(incoming, sent, () => undefined);
  }
}
