import type { VNode } from 'preact';
import { countText } from '../../core/ui/amounts.js';
import { Badge, Card, PageHeader } from '../../core/ui/components/content.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import { JOB_STATES, type JobState, type ListedQueue } from './queue-jobs.service.js';
import { NoJobs, PURPOSES, queuePath, STATE_LABELS } from './queue.page.js';

interface QueuesPageProps {
  queues: ListedQueue[];
  /** False for an instance that runs without Redis. */
  hasRedis: boolean;
}

const COLUMNS = [
  { label: 'Queue' },
  ...JOB_STATES.map((state) => ({ label: STATE_LABELS[state], align: 'end' as const })),
];

/** The queues of the instance with their jobs by state. */
export function QueuesPage({ queues, hasRedis }: QueuesPageProps): VNode {
  return (
    <>
      <PageHeader title="Queues" description="Jobs announce work to the workers through Redis." />
      {queues.every(({ counts }) => counts === null) ? (
        <NoJobs hasRedis={hasRedis} />
      ) : (
        <Card flush>
          <Table caption="Queues" columns={COLUMNS} stacked>
            {queues.map((queue) => (
              <QueueRow key={queue.name} queue={queue} />
            ))}
          </Table>
        </Card>
      )}
    </>
  );
}

function QueueRow({ queue: { name, counts, isPaused } }: { queue: ListedQueue }): VNode {
  const href = queuePath(name);
  return (
    <tr>
      <Cell lead>
        <a href={href}>{name}</a> {isPaused && <Badge tone="warning">Paused</Badge>}
        <small>{PURPOSES[name]}</small>
      </Cell>
      {JOB_STATES.map((state) => (
        <Cell key={state} align="end" label={STATE_LABELS[state]}>
          {counts !== null && (
            <Count href={`${href}?state=${state}`} count={counts[state]} state={state} />
          )}
        </Cell>
      ))}
    </tr>
  );
}

function Count({ href, count, state }: { href: string; count: number; state: JobState }): VNode {
  if (count === 0) return <span class="text-muted-foreground">0</span>;
  return (
    <a class={state === 'failed' ? 'text-destructive!' : undefined} href={href}>
      {countText(count)}
    </a>
  );
}
