import { getQueueToken } from '@nestjs/bull';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Queue } from 'bull';
import { QUEUES } from './queues.js';

/**
 * Begins to close all queues of a worker at once when it stops. Each waits half a second for the
 * connection that waits for jobs, and Nest closes them one after the other.
 */
@Injectable()
export class QueueClosing implements BeforeApplicationShutdown {
  constructor(private readonly discovery: DiscoveryService) {}

  beforeApplicationShutdown(): void {
    const tokens = new Set<unknown>(Object.values(QUEUES).map((name) => getQueueToken(name)));
    for (const { token, instance } of this.discovery.getProviders()) {
      if (!tokens.has(token)) continue;
      // The queue's own hook awaits the same closing, and tells why it failed.
      (instance as Queue).close().catch(() => undefined);
    }
  }
}
