import { Controller, Get, Inject } from '@nestjs/common';
import type { Queue } from 'bull';
import { Page } from '../../core/access/access.decorator.js';
import { withTimeout } from '../../core/clock.js';
import { ALL_QUEUES } from '../../core/durable-work/job-queue.service.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { packageVersion } from '../../core/version/package-version.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { StorageVolumes } from '../../git/storage-volumes.service.js';
import { AdminStatsRepository } from './admin-stats.repository.js';
import { OverviewPage, type QueueState } from './overview.page.js';

const VERSION = packageVersion();

/** Bull's commands wait until Redis is back; a page does not. */
const REDIS_TIMEOUT_MS = 1_000;

/** Overview of the instance for administrators. */
@Controller(atRoot('admin'))
@Page('administrate')
export class OverviewPagesController {
  constructor(
    private readonly stats: AdminStatsRepository,
    @Inject(ALL_QUEUES) private readonly queues: Queue[],
    private readonly storages: StorageRegistry,
    private readonly volumes: StorageVolumes,
  ) {}

  /** Shows the instance at a glance. */
  @Get()
  async show(@Context() pageContext: PageContext): Promise<HttpResponse> {
    const [counts, queues, known] = await Promise.all([
      this.stats.count(),
      Promise.all(this.queues.map(stateOf)),
      this.volumes.all(),
    ]);
    const names = this.storages.names();
    const page = OverviewPage({
      counts,
      queues,
      volumes: names.map((name) => [name, known.get(name) ?? null]),
      version: VERSION,
    });
    return pageContext.render(page, { title: 'Administration', nav: 'admin' });
  }
}

async function stateOf(queue: Queue): Promise<QueueState> {
  const counts = await withTimeout(REDIS_TIMEOUT_MS, queue.getJobCounts()).catch(() => null);
  return { name: queue.name, counts };
}
