import type { VNode } from 'preact';
import { bytesText, counted, countText } from '../../core/ui/amounts.js';
import { CapacityBar } from '../../core/ui/components/bars.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Badge, Card, DescriptionList, PageHeader } from '../../core/ui/components/content.js';
import { Time } from '../../core/ui/components/time.js';
import { AdminSection } from '../../core/ui/sections/admin.js';
import type { StorageVolume } from '../../git/storage-volumes.service.js';
import type { MoveCountsResponse, StorageSummaryResponse } from '../storage-summary.service.js';

interface StoragesPageProps {
  storages: StorageSummaryResponse[];
  volumes: ReadonlyMap<string, StorageVolume>;
}

/** Where repositories lie: how full, how much, what moves. */
export function StoragesPage({ storages, volumes }: StoragesPageProps): VNode {
  const weights = storages.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <AdminSection current="storages">
      <PageHeader
        title="Storages"
        description="Folders that hold the repositories; new ones are shared out by weight."
        actions={
          <ButtonLink href="/admin/application_settings#storages" variant="outline">
            Change weights
          </ButtonLink>
        }
      />
      <div class="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {storages.map((storage) => (
          <StorageCard
            key={storage.name}
            storage={storage}
            volume={volumes.get(storage.name)}
            weights={weights}
          />
        ))}
      </div>
    </AdminSection>
  );
}

interface StorageCardProps {
  storage: StorageSummaryResponse;
  volume: StorageVolume | undefined;
  /** Sum of all weights. */
  weights: number;
}

function StorageCard({ storage, volume, weights }: StorageCardProps): VNode {
  const { name, containers } = storage;
  const repositories = containers.project + containers.snippet + containers.group;
  return (
    <Card title={name} actions={<StorageState storage={storage} />}>
      <Capacity name={name} volume={volume} />
      <DescriptionList
        items={[
          { label: 'Share of new repositories', value: shareText(storage.weight, weights) },
          {
            label: 'Holds',
            value: `${counted(containers.project, 'project')}, ${counted(containers.snippet, 'snippet')}, ${counted(containers.group, 'group')}`,
          },
          { label: 'Moves in', value: movesText(storage.incoming, storage.max_in) },
          { label: 'Moves out', value: movesText(storage.outgoing, storage.max_out) },
          { label: 'Rate of a move', value: rateText(storage) },
          { label: 'Repositories in the trash', value: countText(storage.repositories_in_trash) },
        ]}
      />
      <div class="flex flex-wrap gap-2">
        <ButtonLink href={`/admin/storages/${name}`} variant="outline" size="small">
          Change limits<span class="sr-only"> of {name}</span>
        </ButtonLink>
        {repositories > 0 && (
          <ButtonLink
            href={`/admin/storage_moves/bulk?source_storage_name=${name}`}
            variant="ghost"
            size="small"
          >
            Empty the storage<span class="sr-only"> {name}</span>
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

function StorageState({ storage }: Pick<StorageCardProps, 'storage'>): VNode {
  if (storage.paused) return <Badge tone="warning">Paused</Badge>;
  if (storage.blocked_until === null) return <Badge tone="success">Open</Badge>;
  return (
    <Badge tone="danger">
      Full, blocked until <Time value={storage.blocked_until} />
    </Badge>
  );
}

/** Disk usage of a storage. */
export function Capacity({ name, volume }: { name: string; volume: StorageVolume | undefined }) {
  if (volume === undefined) return <p class="text-destructive">Its disk cannot be read.</p>;
  const { bytesUsed, bytesTotal, bytesFree } = volume;
  const percent = bytesTotal === 0 ? 100 : Math.round((bytesUsed / bytesTotal) * 100);
  return (
    <div class="grid gap-1">
      <CapacityBar value={bytesUsed} max={bytesTotal} label={`Used part of the disk of ${name}`} />
      <p class="text-muted-foreground text-sm">
        {`${percent}% of ${bytesText(bytesTotal)} used, ${bytesText(bytesFree)} free`}
      </p>
    </div>
  );
}

function shareText(weight: number, weights: number): string {
  if (weight === 0 || weights === 0) return 'None (weight 0)';
  return `${Math.round((weight / weights) * 100)}% (weight ${weight})`;
}

function movesText(counts: MoveCountsResponse, limit: number): string {
  const running = (counts.started ?? 0) + (counts.replicated ?? 0);
  const waiting = (counts.initial ?? 0) + (counts.scheduled ?? 0);
  const failed = (counts.failed ?? 0) + (counts['cleanup failed'] ?? 0);
  const ended = `${countText(counts.finished ?? 0)} finished, ${countText(failed)} failed`;
  return `${running} running of at most ${limit}, ${countText(waiting)} waiting, ${ended}`;
}

function rateText(storage: StorageSummaryResponse): string {
  const { measured_bytes_per_second: rate, bytes_per_second: limit } = storage;
  const measured = rate === null ? 'Not measured yet' : `${bytesText(rate)}/s lately`;
  return limit === null ? measured : `${measured}, at most ${bytesText(limit)}/s`;
}
