import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Header, Res, Inject, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import { NoAuthentication } from '../access/access.decorator.js';
import { ApiProduces, ApiResponses } from '../openapi/api.decorators.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { STORAGE_METADATA_FILE } from '../../config/services.js';
import { withTimeout } from '../clock.js';
import { ALL_QUEUES } from '../durable-work/job-queue.service.js';
import { PING_SQL } from '../sql/pg-driver.js';
import { Replica } from '../sql/replica/replica.service.js';

const TIMEOUT_MS = 3_000;
/** Of checks that do not decide the status: shorter, since probes have a timeout of their own. */
const OPTIONAL_TIMEOUT_MS = 1_000;

/** Result of a check; labels distinguish equal checks. */
interface CheckResult {
  status: 'ok' | 'failed';
  /** Reason for the failure. */
  message?: string;
  /** @example {"storage":"default"} */
  labels?: Record<string, string>;
}

/** Response of `/-/readiness`. */
interface Readiness {
  status: 'ok' | 'failed';
  process_check: CheckResult[];
  database_check: CheckResult[];
  /** Empty without Redis. It does not decide the status: requests go on, and PostgreSQL drives jobs. */
  redis_check: CheckResult[];
  /** Only with a replica. It does not decide the status: the primary takes over its reads. */
  replica_check?: CheckResult[];
  /** It decides the status only when no storage responds: requests for the others go on. */
  storage_check: CheckResult[];
}

/** Checks that database, Redis and storages respond in time. */
@Injectable()
export class ReadinessService {
  private readonly logger = new Logger(ReadinessService.name);
  private stopping = false;
  private redisPing: Promise<void> | null = null;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly replica: Replica,
    @Inject(ALL_QUEUES) private readonly queues: readonly Queue[],
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** From now on the process counts as not ready, so that no proxy sends new requests. */
  startStopping(): void {
    this.stopping = true;
  }

  /**
   * Runs all checks side by side; a check that throws or hangs has failed. Only what requests cannot do
   * without decides the status, so that no balancer takes out all processes for the rest.
   */
  async check(): Promise<Readiness> {
    const storages = Object.entries(this.config.storages).map(([storage, { path }]) => {
      const reachable = async (): Promise<void> => {
        await access(path, constants.R_OK | constants.W_OK);
        await access(join(path, STORAGE_METADATA_FILE));
      };
      return this.outcome(reachable, { labels: { storage } });
    });
    const [database_check, redis_check, storage_check] = await Promise.all([
      Promise.all([this.outcome(() => this.pingDatabase())]),
      this.config.redis === null ? [] : Promise.all([this.redisOutcome()]),
      Promise.all(storages),
    ]);
    const process_check: CheckResult[] = [
      this.stopping ? { status: 'failed', message: 'is stopping' } : { status: 'ok' },
    ];
    const hasFailed = ({ status }: CheckResult): boolean => status === 'failed';
    const failed =
      [process_check, database_check].some((results) => results.some(hasFailed)) ||
      storage_check.every(hasFailed);
    return {
      status: failed ? 'failed' : 'ok',
      process_check,
      database_check,
      redis_check,
      storage_check,
      ...(this.replica.isConfigured && { replica_check: [this.replicaOutcome()] }),
    };
  }

  private replicaOutcome(): CheckResult {
    return this.replica.isUsable
      ? { status: 'ok' }
      : { status: 'failed', message: 'not in use; the primary serves reads' };
  }

  private async pingDatabase(): Promise<void> {
    await this.moduleRef.get(DataSource, { strict: false }).query(PING_SQL);
  }

  /** A server that hangs is asked once, however many requests wait for it. */
  private redisOutcome(): Promise<CheckResult> {
    this.redisPing ??= this.pingRedis().finally(() => (this.redisPing = null));
    const ping = this.redisPing;
    return this.outcome(() => ping, { timeoutMs: OPTIONAL_TIMEOUT_MS });
  }

  private async pingRedis(): Promise<void> {
    const connected = this.queues.find(({ client }) => client.status === 'ready');
    // Without a connection each ping would wait in memory until there is one.
    if (connected === undefined) throw new Error('no connection to Redis');
    await connected.client.ping();
  }

  private async outcome(
    check: () => Promise<void>,
    { labels, timeoutMs = TIMEOUT_MS }: Pick<CheckResult, 'labels'> & { timeoutMs?: number } = {},
  ): Promise<CheckResult> {
    const labelled = labels === undefined ? {} : { labels };
    try {
      await withTimeout(timeoutMs, check());
      return { status: 'ok', ...labelled };
    } catch (error) {
      // Addresses and paths belong in the log: the response is public.
      this.logger.warn(`Readiness check failed: ${String(error)}`);
      return { status: 'failed', message: 'does not answer', ...labelled };
    }
  }
}

/** Response of `/-/liveness`. */
interface Liveness {
  status: 'ok';
}

/** Health checks for monitoring; no credentials, no secrets. */
@Controller('-')
@NoAuthentication()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Liveness check as text. */
  @Get('health')
  @ApiProduces('text/plain')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  health(): string {
    return 'Guildhall OK';
  }

  /** Liveness check as JSON. */
  @Get('liveness')
  @Header('Cache-Control', 'no-store')
  liveness(): Liveness {
    return { status: 'ok' };
  }

  /** Readiness check: 200, or 503 with the failed checks. */
  @Get('readiness')
  @ApiResponses(200, 503)
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.readiness.check();
    response.status(readiness.status === 'ok' ? 200 : 503);
    return readiness;
  }
}
