import type { VNode } from 'preact';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import type { ShownCommitStatus } from '../code.repository.js';
import { CommitStateBadge } from './commit-state-badge.js';

const COLUMNS = [
  { label: 'Status' },
  { label: 'Name' },
  { label: 'Description' },
  { label: 'Branch or tag' },
  { label: 'Since' },
];

/** Statuses of a commit in external CI; nothing if there are none. */
export function CommitStatusesCard({
  statuses,
}: {
  statuses: readonly ShownCommitStatus[];
}): VNode | null {
  if (statuses.length === 0) return null;
  return (
    <Card title="Statuses" flush>
      <Table caption="Statuses of the commit" columns={COLUMNS}>
        {statuses.map((status) => (
          <StatusRow key={status.id} status={status} />
        ))}
      </Table>
    </Card>
  );
}

function StatusRow({ status }: { status: ShownCommitStatus }): VNode {
  return (
    <tr>
      <Cell>
        <span class="inline-flex flex-wrap gap-1">
          <CommitStateBadge state={status.state} />
          {status.allowFailure && <Badge>May fail</Badge>}
        </span>
      </Cell>
      <Cell wrap>
        <StatusName status={status} />
      </Cell>
      <Cell wrap>{status.description}</Cell>
      <Cell wrap>{status.ref}</Cell>
      <Cell>
        <Time value={status.since} />
      </Cell>
    </tr>
  );
}

/** Leads to the page that outside CI has about it. */
function StatusName({ status: { name, targetUrl } }: { status: ShownCommitStatus }): VNode {
  if (targetUrl === null) return <span class="font-medium">{name}</span>;
  return (
    <a class="prose-link font-medium" href={targetUrl} rel="nofollow noopener noreferrer ugc">
      {name}
    </a>
  );
}
