import { Controller, Get } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { packageVersion } from '../../core/version/package-version.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { StorageVolumes } from '../../git/storage-volumes.service.js';
import { AdminStatsRepository } from './admin-stats.repository.js';
import { OverviewPage } from './overview.page.js';
import { QueueCounts } from './queue-counts.service.js';

const VERSION = packageVersion();

/** Where administrators begin. */
@Controller(atRoot('admin'))
@Page('administrate')
export class OverviewController {
  constructor(
    private readonly stats: AdminStatsRepository,
    private readonly queueCounts: QueueCounts,
    private readonly storages: StorageRegistry,
    private readonly volumes: StorageVolumes,
  ) {}

  /** Shows the instance at a glance. */
  @Get()
  async show(@Context() pageContext: PageContext): Promise<HttpResponse> {
    const [counts, queues, known] = await Promise.all([
      this.stats.count(),
      this.queueCounts.list(),
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
