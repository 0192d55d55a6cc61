import type { VNode } from 'preact';
import { countText, durationText } from '../../core/ui/amounts.js';
import { Badge, Card } from '../../core/ui/components/content.js';
import { Item, ItemList } from '../../core/ui/components/list.js';
import { ProgressBar } from '../../core/ui/components/small-charts.js';
import { Time } from '../../core/ui/components/time.js';
import type { ListedBatch } from '../move-statistics.repository.js';
import { KIND_LABELS } from './move.page.js';

/** A request to drain a storage: its batches of each kind as one. */
interface Drain extends Omit<ListedBatch, 'kind' | 'finishedAt'> {
  kinds: ListedBatch['kind'][];
  isScheduled: boolean;
}

/** Batches that were requested together have the same time. */
export function drainsOf(batches: readonly ListedBatch[]): Drain[] {
  const drains = new Map<string, Drain>();
  for (const { kind, finishedAt, ...batch } of batches) {
    const key = [batch.source, batch.destination, batch.createdAt.getTime()].join(' ');
    const known = drains.get(key);
    const isScheduled = finishedAt !== null;
    drains.set(
      key,
      known === undefined
        ? { ...batch, kinds: [kind], isScheduled }
        : {
            ...known,
            kinds: [kind, ...known.kinds],
            isScheduled: known.isScheduled && isScheduled,
            unscheduled: known.unscheduled + batch.unscheduled,
            scheduled: known.scheduled + batch.scheduled,
            skipped: known.skipped + batch.skipped,
            moving: known.moving + batch.moving,
            finished: known.finished + batch.finished,
            failed: known.failed + batch.failed,
          },
    );
  }
  return [...drains.values()];
}

/** Returns true if the drain has moves to schedule or to wait for. */
export function isOpenDrain({ isScheduled, moving }: Drain): boolean {
  return !isScheduled || moving > 0;
}

function Route({ drain: { source, destination } }: { drain: Drain }): VNode {
  return (
    <span>
      <code>{source}</code> → {destination === null ? 'by weight' : <code>{destination}</code>}
    </span>
  );
}

/** A drain under way, with its progress. */
export function OpenDrain({ drain }: { drain: Drain }): VNode {
  const { source, unscheduled, moving, finished, failed } = drain;
  const ended = finished + failed;
  const total = ended + moving + unscheduled;
  return (
    <Card>
      <div class="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2>
          Draining <Route drain={drain} />
        </h2>
        <p class="text-muted-foreground tabular-nums">{progressText(drain, ended, total)}</p>
      </div>
      <ProgressBar
        value={ended}
        max={Math.max(1, total)}
        label={`Progress of draining ${source}`}
      />
    </Card>
  );
}

/** Ended moves before the time left is worth telling. */
const MEASURED = 3;

function progressText(drain: Drain, ended: number, total: number): string {
  const left = total - ended;
  const parts = [`${countText(ended)} of ${countText(total)}`];
  if (drain.failed > 0) parts.push(`${countText(drain.failed)} failed`);
  if (drain.skipped > 0) parts.push(`${countText(drain.skipped)} skipped`);
  if (ended >= MEASURED && left > 0) {
    parts.push(`${countText(Math.round((ended / drain.age) * 60))} per minute`);
    parts.push(`about ${durationText(Math.round((drain.age / ended) * left))} left`);
  }
  return parts.join(' · ');
}

/** The latest drains that ended; nothing without any. */
export function RecentDrains({ drains }: { drains: Drain[] }): VNode | null {
  if (drains.length === 0) return null;
  return (
    <Card title="Recent drains" flush>
      <ItemList label="Recent drains">
        {drains.map((drain) => (
          <Item
            key={drain.id}
            title={
              <>
                <Route drain={drain} />
                {drain.failed > 0 ? (
                  <Badge tone="warning">Partially completed</Badge>
                ) : (
                  <Badge tone="success">Done</Badge>
                )}
              </>
            }
          >
            {`${drain.kinds.map((kind) => KIND_LABELS[kind]).join(', ')} · ${outcomeText(drain)} · `}
            <Time value={drain.createdAt} />
          </Item>
        ))}
      </ItemList>
    </Card>
  );
}

function outcomeText({ finished, failed, skipped }: Drain): string {
  const parts = [`${countText(finished)} moved`];
  if (failed > 0) parts.push(`${countText(failed)} failed`);
  if (skipped > 0) parts.push(`${countText(skipped)} skipped`);
  return parts.join(' · ');
}
