import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from '../sql/pg-driver.js';
import { MetricsRegistry } from './metrics-registry.js';

const HELD_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const WAIT_SECONDS = [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];

/** Measures the use of the connection pool of PostgreSQL. */
@Injectable()
export class PoolMetrics {
  constructor({ registry, isEnabled }: MetricsRegistry, dataSource: DataSource) {
    if (!isEnabled) return;
    const pool = poolOf(dataSource);
    const registers = [registry];
    new Gauge({
      name: 'guildhall_db_pool_connections',
      help: 'Connections of the pool to PostgreSQL by state',
      labelNames: ['state'],
      registers,
      collect() {
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      },
    });
    new Gauge({
      name: 'guildhall_db_pool_max_connections',
      help: 'Connections that the pool can open',
      registers,
    }).set(pool.options.max);
    new Gauge({
      name: 'guildhall_db_pool_waiting',
      help: 'Statements and transactions that wait for a connection',
      registers,
      collect() {
        this.set(pool.waitingCount);
      },
    });
    const waits = new Histogram({
      name: 'guildhall_db_pool_wait_seconds',
      help: 'Waiting times for a connection while none was idle',
      buckets: WAIT_SECONDS,
      registers,
    });
    pool.onWait = (seconds) => waits.observe(seconds);
    const held = new Histogram({
      name: 'guildhall_db_connection_held_seconds',
      help: 'Times that statements and transactions held a connection',
      buckets: HELD_SECONDS,
      registers,
    });
    const acquiredAt = new WeakMap<PoolClient, number>();
    pool.on('acquire', (client) => acquiredAt.set(client, performance.now()));
    pool.on('release', (_error, client) => {
      const since = acquiredAt.get(client);
      if (since !== undefined) held.observe((performance.now() - since) / 1000);
    });
  }
}
