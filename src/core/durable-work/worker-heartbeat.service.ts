import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { RunEvery } from './periodic-task.js';
import { WorkerHeartbeatsRepository } from './worker-heartbeats.repository.js';

/** Lets others see that this worker process runs. */
@Injectable()
export class WorkerHeartbeatService implements BeforeApplicationShutdown {
  private readonly name = `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;

  constructor(private readonly heartbeats: WorkerHeartbeatsRepository) {}

  @RunEvery({ ms: 15_000, failureMessage: 'The heartbeat failed', level: 'warn' })
  beat(): Promise<void> {
    return this.heartbeats.beat(this.name);
  }

  /** A worker that stops in order does not count as lost; the tasks have ended by now. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.heartbeats.delete({ name: this.name });
  }
}
