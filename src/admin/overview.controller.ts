import { Controller, Get } from '@nestjs/common';
import { Page } from '../core/access/page.decorator.js';
import type { Answer } from '../core/http/answer.js';
import { atRoot } from '../core/http/root-path.js';
import { Shell } from '../core/ui/shell.decorator.js';
import type { PageShell } from '../core/ui/shell.js';
import { packageVersion } from '../core/version/package-version.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { StorageVolumes } from '../git/storage-volumes.service.js';
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
  async show(@Shell() shell: PageShell): Promise<Answer> {
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
    return shell.page(page, { title: 'Administration', nav: 'admin' });
  }
}
