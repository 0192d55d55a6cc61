import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../app.module.js';
import type { Config } from '../../config/env.js';
import { configureApp } from '../../configure-app.js';
import { SYSTEM_ACTOR } from '../../core/audit/audit.service.js';
import { HttpAdapter } from '../../core/http/http-adapter.js';
import { createLog, NestLog } from '../../core/logger.js';
import { TokenCreationService } from '../../identity/tokens/token-creation.service.js';

const WAIT_MS = 15_000;
const POLL_MS = 100;

/** As much of a response as demo data reads. */
export interface DemoBody {
  id: number;
  iid: number;
  state: string;
  [key: string]: unknown;
}

/** Someone's view of the API. */
export class DemoClient {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  get<T = DemoBody>(path: string): Promise<T> {
    return this.send('GET', path);
  }

  post(path: string, body: object = {}): Promise<DemoBody> {
    return this.send('POST', path, body);
  }

  put(path: string, body: object): Promise<DemoBody> {
    return this.send('PUT', path, body);
  }

  /** Sends JSON or a form; what exists already is left as it is. */
  async send<T = DemoBody>(method: string, path: string, body?: object): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: {
        'PRIVATE-TOKEN': this.token,
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok && !isRepeated(response.status, text)) {
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    }
    return (text === '' ? {} : JSON.parse(text)) as T;
  }
}

/** An action that was interrupted after it was done, and is done again. */
function isRepeated(status: number, text: string): boolean {
  return status === 409 || (status === 400 && /already (been taken|exists)/.test(text));
}

/** A web process on a port of the loopback interface that only demo data uses. */
export class DemoInstance {
  private constructor(
    readonly app: NestExpressApplication,
    readonly config: Config,
    readonly url: string,
    private readonly hasWorker: boolean,
  ) {}

  static async start(given: Config, hasWorker: boolean): Promise<DemoInstance> {
    const config = { ...given, host: '127.0.0.1', port: 0, rateLimits: false };
    const log = createLog('error', process.stderr);
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(config),
      new HttpAdapter(),
      { bodyParser: false, logger: new NestLog(log), abortOnError: false },
    );
    configureApp(app, config, log);
    await app.listen(0, config.host);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    return new DemoInstance(app, config, `http://127.0.0.1:${port}`, hasWorker);
  }

  /** Signs a user in by a token that `forget` revokes. */
  async clientOf(userId: number): Promise<DemoClient> {
    const { raw } = await this.app.get(TokenCreationService, { strict: false }).create(
      {
        userId,
        name: 'Demo data',
        scopes: ['api', 'write_repository'],
        expiresAt: new Date(Date.now() + 86_400_000),
      },
      SYSTEM_ACTOR,
    );
    return new DemoClient(this.url, raw);
  }

  /** Waits for a worker to do something; false if it does not, or if none is running. */
  async isEventually(check: () => Promise<boolean>): Promise<boolean> {
    const end = Date.now() + (this.hasWorker ? WAIT_MS : 0);
    while (!(await check())) {
      if (Date.now() >= end) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  async close(): Promise<void> {
    (this.app.getHttpServer() as Server).closeAllConnections();
    await this.app.close();
  }
}
