import type { VNode } from 'preact';
import { countText } from '../../core/ui/amounts.js';
import { Badge, Card } from '../../core/ui/components/content.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import { Time } from '../../core/ui/components/time.js';
import type { ListedBatch } from '../move-statistics.repository.js';
import { KIND_LABELS } from './shown-move.js';

const COLUMNS = [
  { label: 'Storage to empty' },
  { label: 'Of' },
  { label: 'State' },
  { label: 'Scheduled', align: 'end' as const },
  { label: 'Finished', align: 'end' as const },
  { label: 'Failed', align: 'end' as const },
  { label: 'Left out', align: 'end' as const },
  { label: 'Asked for' },
];

/** The newest requests to empty a storage; nothing when there was none. */
export function BatchTable({ batches }: { batches: ListedBatch[] }): VNode | null {
  if (batches.length === 0) return null;
  return (
    <Card title="Storages to empty" flush>
      <Table caption="Storages to empty" columns={COLUMNS}>
        {batches.map((batch) => (
          <tr key={batch.id}>
            <Cell>
              {batch.source} → {batch.destination ?? 'by weight'}
            </Cell>
            <Cell>{KIND_LABELS[batch.kind]}</Cell>
            <Cell>
              <BatchState batch={batch} />
            </Cell>
            <Cell align="end">{countText(batch.scheduled)}</Cell>
            <Cell align="end">{countText(batch.finished)}</Cell>
            <Cell align="end">{countText(batch.failed)}</Cell>
            <Cell align="end">{countText(batch.skipped)}</Cell>
            <Cell>
              <Time value={batch.createdAt} />
            </Cell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function BatchState({ batch }: { batch: ListedBatch }): VNode {
  const { moving, failed, finishedAt } = batch;
  if (finishedAt === null) return <Badge tone="info">Scheduling</Badge>;
  if (moving > 0) return <Badge tone="info">Moving</Badge>;
  return failed > 0 ? (
    <Badge tone="warning">Done in part</Badge>
  ) : (
    <Badge tone="success">Done</Badge>
  );
}
