import { Controller, Get, Inject } from '@nestjs/common';
import type { JobCounts, Queue } from 'bull';
import type { ComponentChildren, VNode } from 'preact';
import { Page } from '../../core/access/access.decorator.js';
import { withTimeout } from '../../core/clock.js';
import { ALL_QUEUES } from '../../core/durable-work/job-queue.service.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { bytesText, countText } from '../../core/ui/amounts.js';
import { Badge, Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import { CapacityBar } from '../../core/ui/components/small-charts.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { packageVersion } from '../../core/version/package-version.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { StorageVolumes, type StorageVolume } from '../../git/storage-volumes.service.js';
import { AdminStatsRepository, type InstanceCounts } from './admin-stats.repository.js';

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

/** The jobs of a queue by state; null while Redis is not responding. */
interface QueueState {
  name: string;
  counts: JobCounts | null;
}

interface OverviewPageProps {
  counts: InstanceCounts;
  queues: QueueState[];
  /** By storage name; null for an unavailable disk. */
  volumes: [name: string, volume: StorageVolume | null][];
  version: string;
}

/** The instance at a glance. */
function OverviewPage({ counts, queues, volumes, version }: OverviewPageProps): VNode {
  return (
    <>
      <PageHeader title="Administration" />
      <Attention counts={counts} />
      <ul class="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label="Users" count={counts.people} href="/admin/users" />
        <Figure label="Groups" count={counts.groups} href="/admin/groups" />
        <Figure label="Projects" count={counts.projects} href="/admin/projects" />
        <Figure label="Snippets" count={counts.snippets} />
      </ul>
      <div class="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Storages volumes={volumes} counts={counts} />
        <InstanceDetails counts={counts} version={version} />
      </div>
      <Card title="Queues" actions={<PageLink href="/admin/queues">View jobs</PageLink>} flush>
        <Queues queues={queues} />
      </Card>
    </>
  );
}

/** Items that need the attention of an administrator; nothing when there are none. */
function Attention({ counts }: Pick<OverviewPageProps, 'counts'>): VNode | null {
  const { pendingPeople, failedMoves, failedMails } = counts;
  const items = [
    {
      count: pendingPeople,
      text: 'Pending user approvals',
      href: '/admin/users?filter=pending',
    },
    {
      count: failedMoves,
      text: 'Failed storage moves (last 7 days)',
      href: '/admin/storage_moves?state=failed',
    },
    { count: failedMails, text: 'Undelivered emails', href: '/admin/mails' },
  ].filter(({ count }) => count > 0);
  if (items.length === 0) return null;
  return (
    <section class="alert" data-tone="secret" aria-label="Needs attention">
      <ul class="w-full list-none! p-0!">
        {items.map(({ count, text, href }) => (
          <li key={href}>
            <PageLink href={href}>{`${text}: ${countText(count)}`}</PageLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PageLink({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <a class="prose-link" href={href}>
      {children}
    </a>
  );
}

interface FigureProps {
  label: string;
  count: number;
  href?: string;
}

function Figure({ label, count, href }: FigureProps): VNode {
  return (
    <li class="bg-card rounded-xl border px-4 py-3">
      <span class="block text-2xl font-semibold tabular-nums">{countText(count)}</span>
      {href === undefined ? label : <PageLink href={href}>{label}</PageLink>}
    </li>
  );
}

function Storages({ volumes, counts }: Pick<OverviewPageProps, 'volumes' | 'counts'>): VNode {
  const { runningMoves, waitingMoves } = counts;
  return (
    <Card title="Storages" actions={<PageLink href="/admin/storages">View all storages</PageLink>}>
      {volumes.map(([name, volume]) => (
        <div key={name} class="grid gap-1">
          <div class="flex flex-wrap justify-between gap-2">
            <strong class="font-semibold">{name}</strong>
            <span class="text-muted-foreground text-sm">{freeText(volume)}</span>
          </div>
          {volume !== null && (
            <CapacityBar
              value={volume.bytesUsed}
              max={volume.bytesTotal}
              label={`Disk usage of ${name}`}
            />
          )}
        </div>
      ))}
      <p>
        <a href="/admin/storage_moves">Storage moves</a>: {runningMoves} running, {waitingMoves}{' '}
        waiting
      </p>
    </Card>
  );
}

function freeText(volume: StorageVolume | null): string {
  if (volume === null) return 'Disk unavailable';
  return `${bytesText(volume.bytesFree)} of ${bytesText(volume.bytesTotal)} free`;
}

function InstanceDetails({
  counts,
  version,
}: Pick<OverviewPageProps, 'counts' | 'version'>): VNode {
  const items: { label: string; value: ComponentChildren }[] = [
    { label: 'Version', value: version },
    { label: 'Node.js', value: process.versions.node },
    { label: 'PostgreSQL', value: counts.databaseVersion },
    { label: 'Database', value: bytesText(counts.databaseBytes) },
    { label: 'Queued emails', value: countText(counts.queuedMails) },
  ];
  return (
    <Card title="Instance">
      <DescriptionList items={items} />
    </Card>
  );
}

const COLUMNS = [
  { label: 'Queue' },
  { label: 'Waiting', align: 'end' as const },
  { label: 'Running', align: 'end' as const },
  { label: 'Delayed', align: 'end' as const },
  { label: 'Failed', align: 'end' as const },
];

function Queues({ queues }: Pick<OverviewPageProps, 'queues'>): VNode {
  return (
    <Table caption="Queues" columns={COLUMNS} stacked>
      {queues.map(({ name, counts }) => (
        <tr key={name}>
          <Cell>
            <a href={`/admin/queues/${name}`}>{name}</a>{' '}
            {counts === null && <Badge tone="danger">Redis is not responding</Badge>}
          </Cell>
          <Cell align="end" label="Waiting">
            {counts?.waiting}
          </Cell>
          <Cell align="end" label="Running">
            {counts?.active}
          </Cell>
          <Cell align="end" label="Delayed">
            {counts?.delayed}
          </Cell>
          <Cell align="end" label="Failed">
            {counts?.failed}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
