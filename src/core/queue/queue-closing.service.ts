import { getQueueToken } from '@nestjs/bull';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Queue } from 'bull';
import { QUEUES } from './queues.js';

/**
 * Closes all queues of a worker in parallel on shutdown. Each waits half a second for its blocking
 * connection, and Nest would close them one after another.
 */
@Injectable()
export class QueueClosing implements BeforeApplicationShutdown {
  constructor(private readonly discovery: DiscoveryService) {}

  beforeApplicationShutdown(): void {
    const tokens = new Set<unknown>(Object.values(QUEUES).map((name) => getQueueToken(name)));
    for (const { token, instance } of this.discovery.getProviders()) {
      if (!tokens.has(token)) continue;
      // The queue's own hook awaits the same closing and reports its failure.
      (instance as Queue).close().catch(() => undefined);
    }
  }
}
