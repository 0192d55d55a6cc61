import type { VNode } from 'preact';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { TextWithCode } from '../../../core/ui/components/markdown.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { ShownCommitStatus, ShownPipeline } from '../code.repository.js';
import type { CodeAddresses } from './code-frame.js';
import { CommitStateBadge, titleOf } from './commits.page.js';

interface CommitTabsProps {
  /** Address of the commit. */
  path: string;
  pipelines: readonly ShownPipeline[];
  current: 'changes' | 'pipelines';
}

/** The pages of a commit; nothing for one without pipelines. */
export function CommitTabs({ path, pipelines, current }: CommitTabsProps): VNode | null {
  if (pipelines.length === 0 && current === 'changes') return null;
  const items = [
    { label: 'Changes', href: path },
    { label: 'Pipelines', href: `${path}/pipelines`, count: pipelines.length },
  ];
  return (
    <Tabs
      label="Commit"
      items={items}
      current={current === 'changes' ? path : `${path}/pipelines`}
    />
  );
}

interface PipelinesPageProps {
  commit: CommitRecord;
  addresses: CodeAddresses;
  pipelines: readonly ShownPipeline[];
}

/** All pipelines of a commit with their statuses, the newest first. */
export function PipelinesPage({ commit, addresses, pipelines }: PipelinesPageProps): VNode {
  return (
    <>
      <PageHeader title={<TextWithCode text={titleOf(commit)} />} />
      <CommitTabs path={addresses.commit(commit.id)} pipelines={pipelines} current="pipelines" />
      {pipelines.length === 0 && (
        <EmptyState title="No pipelines">
          External CI reports statuses of this commit over the API.
        </EmptyState>
      )}
      {pipelines.map((pipeline) => (
        <PipelineCard key={pipeline.id} pipeline={pipeline} />
      ))}
    </>
  );
}

/** The newest pipeline of each branch and tag. */
export function latestPipelines(pipelines: readonly ShownPipeline[]): ShownPipeline[] {
  const refs = new Set<string>();
  return pipelines.filter(({ ref }) => {
    const isLatest = !refs.has(ref);
    refs.add(ref);
    return isLatest;
  });
}

const COLUMNS = [
  { label: 'Status' },
  { label: 'Name' },
  { label: 'Description' },
  { label: 'Updated' },
];

/** A pipeline with its statuses. */
export function PipelineCard({ pipeline }: { pipeline: ShownPipeline }): VNode {
  const { id, ref, status, statuses, statusCount, createdAt } = pipeline;
  const title = ref === '' ? `Pipeline #${id}` : `Pipeline #${id} · ${ref}`;
  const state = (
    <span class="inline-flex items-center gap-2">
      <CommitStateBadge state={status} />
      <Time value={createdAt} />
    </span>
  );
  return (
    <Card title={title} actions={state} flush>
      {statuses.length < Math.max(1, statusCount) && (
        <p class="text-muted-foreground p-3">{shownText(statuses.length, statusCount)}</p>
      )}
      {statuses.length > 0 && (
        <Table caption={`Statuses of pipeline #${id}`} columns={COLUMNS} stacked>
          {statuses.map((one) => (
            <StatusRow key={one.id} status={one} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function shownText(shown: number, all: number): string {
  if (all === 0) return 'No statuses';
  const counted = `${all} ${all === 1 ? 'status' : 'statuses'}`;
  return shown === 0 ? `${counted}, not shown here` : `Showing ${shown} of ${counted}`;
}

function StatusRow({ status }: { status: ShownCommitStatus }): VNode {
  return (
    <tr>
      <Cell>
        <span class="inline-flex flex-wrap gap-1">
          <CommitStateBadge state={status.state} />
          {status.allowFailure && <Badge>Allowed to fail</Badge>}
        </span>
      </Cell>
      <Cell wrap first>
        <StatusName status={status} />
      </Cell>
      <Cell wrap>{status.description}</Cell>
      <Cell>
        <Time value={status.since} />
      </Cell>
    </tr>
  );
}

/** Links to the status in external CI. */
function StatusName({ status: { name, targetUrl } }: { status: ShownCommitStatus }): VNode {
  if (targetUrl === null) return <span class="font-medium">{name}</span>;
  return (
    <a class="prose-link font-medium" href={targetUrl} rel="nofollow noopener noreferrer ugc">
      {name}
    </a>
  );
}
