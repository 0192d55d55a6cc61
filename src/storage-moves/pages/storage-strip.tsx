import type { VNode } from 'preact';
import { bytesText, countText } from '../../core/ui/amounts.js';
import { Badge } from '../../core/ui/components/content.js';
import { CapacityBar } from '../../core/ui/components/small-charts.js';
import { Time } from '../../core/ui/components/time.js';
import type { StorageVolume } from '../../git/storage-volumes.service.js';

/** A storage as the summary above the moves shows it. */
export interface ShownStorage {
  name: string;
  weight: number;
  repositories: number;
  paused: boolean;
  /** ISO 8601, or null. */
  blockedUntil: string | null;
  /** Missing if the disk cannot be read. */
  volume: StorageVolume | undefined;
}

/** Health, capacity, weight and content of each storage, side by side. */
export function StorageStrip({ storages }: { storages: ShownStorage[] }): VNode {
  return (
    <ul
      class="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-[10px] max-sm:order-1"
      aria-label="Storages"
    >
      {storages.map((storage) => (
        <li key={storage.name} class="rounded-xl border px-3 py-2">
          <div class="flex items-center justify-between gap-2">
            <a class="font-medium hover:underline" href={`/admin/storages/${storage.name}`}>
              {storage.name}
            </a>
            <StorageHealth storage={storage} />
          </div>
          <Capacity storage={storage} />
          <p class="text-muted-foreground text-xs tabular-nums">
            {`${repositoriesText(storage.repositories)} · Weight ${storage.weight}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** `1` → `1 repository`, `2` → `2 repositories`. */
export function repositoriesText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'repository' : 'repositories'}`;
}

/** State of a storage in a word. */
export function StorageHealth({
  storage: { paused, blockedUntil, volume },
}: {
  storage: Pick<ShownStorage, 'paused' | 'blockedUntil' | 'volume'>;
}): VNode {
  if (volume === undefined) return <Badge tone="danger">Disk unavailable</Badge>;
  if (paused) return <Badge tone="warning">Paused</Badge>;
  if (blockedUntil === null) return <Badge tone="success">Healthy</Badge>;
  return (
    <Badge tone="danger">
      Full, blocked until <Time value={blockedUntil} />
    </Badge>
  );
}

/** Disk usage of a storage. */
export function Capacity({ storage }: { storage: Pick<ShownStorage, 'name' | 'volume'> }): VNode {
  const { name, volume } = storage;
  if (volume === undefined) return <p class="text-destructive">Disk unavailable</p>;
  const { bytesUsed, bytesTotal, bytesFree } = volume;
  const percent = bytesTotal === 0 ? 100 : Math.round((bytesUsed / bytesTotal) * 100);
  return (
    <div class="grid gap-1">
      <CapacityBar value={bytesUsed} max={bytesTotal} label={`Disk usage of ${name}`} />
      <p class="text-muted-foreground text-xs tabular-nums">
        {`${percent}% of ${bytesText(bytesTotal)} used, ${bytesText(bytesFree)} free`}
      </p>
    </div>
  );
}
