import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { getQueueToken } from '@nestjs/bull';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { PING_SQL } from '../sql/ping.js';

/** Queue without jobs, whose connection tests Redis. */
export const HEALTH_QUEUE = 'health';

const PATIENCE_MS = 3_000;

/** Result of a check; labels distinguish equal checks. */
export interface CheckResult {
  status: 'ok' | 'failed';
  /** Reason for the failure. */
  message?: string;
  /** @example {"storage":"default"} */
  labels?: Record<string, string>;
}

/** Response of `/-/readiness`. */
export interface Readiness {
  status: 'ok' | 'failed';
  process_check: CheckResult[];
  database_check: CheckResult[];
  redis_check: CheckResult[];
  storage_check: CheckResult[];
}

/** Finds out whether this process can serve: database, Redis and every storage answer in time. */
@Injectable()
export class ReadinessService {
  private readonly logger = new Logger(ReadinessService.name);
  private stopping = false;

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** From now on the process counts as not ready, so that no proxy sends new requests. */
  startStopping(): void {
    this.stopping = true;
  }

  /** Runs all checks side by side; a check that throws or hangs has failed. */
  async check(): Promise<Readiness> {
    const storages = Object.entries(this.config.storages).map(([storage, { path }]) => {
      const reachable = (): Promise<void> => access(path, constants.R_OK | constants.W_OK);
      return this.outcome(reachable, { storage });
    });
    const [database_check, redis_check, storage_check] = await Promise.all([
      Promise.all([this.outcome(() => this.askDatabase())]),
      Promise.all([this.outcome(() => this.askRedis())]),
      Promise.all(storages),
    ]);
    const process_check: CheckResult[] = [
      this.stopping ? { status: 'failed', message: 'is stopping' } : { status: 'ok' },
    ];
    const checks = { process_check, database_check, redis_check, storage_check };
    const failed = Object.values(checks).some((results) =>
      results.some(({ status }) => status === 'failed'),
    );
    return { status: failed ? 'failed' : 'ok', ...checks };
  }

  private async askDatabase(): Promise<void> {
    await this.moduleRef.get(DataSource, { strict: false }).query(PING_SQL);
  }

  private async askRedis(): Promise<void> {
    const queue = this.moduleRef.get<Queue>(getQueueToken(HEALTH_QUEUE), { strict: false });
    await queue.client.ping();
  }

  private async outcome(
    check: () => Promise<void>,
    labels?: Record<string, string>,
  ): Promise<CheckResult> {
    const labelled = labels === undefined ? {} : { labels };
    try {
      await within(PATIENCE_MS, check());
      return { status: 'ok', ...labelled };
    } catch (error) {
      // Addresses and paths are for the log, the answer is public.
      this.logger.warn(`Readiness check failed: ${String(error)}`);
      return { status: 'failed', message: 'does not answer', ...labelled };
    }
  }
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
