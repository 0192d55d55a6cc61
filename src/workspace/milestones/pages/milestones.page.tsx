import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { ProgressBar } from '../../../core/ui/components/small-charts.js';
import { dateText } from '../../../core/ui/components/time.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { MilestoneRow, MilestoneCounts, MilestoneProgress } from '../milestones.repository.js';
import type { MilestonePageContext } from './milestone-page-context.js';
import { TextParam } from '../../../core/params/params.decorator.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';

const STATES = ['active', 'closed', 'all'] as const;

/** Filters of the list of milestones, as its addresses have them. */
export class MilestonesQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam()
  search?: string | null;
}

interface MilestonesPageProps {
  context: MilestonePageContext;
  query: MilestonesQuery;
  page: Page<MilestoneRow>;
  counts: MilestoneCounts;
  /** null where there are no issues to count. */
  progressOf: ((id: number) => MilestoneProgress) | null;
  paging: { page: number; perPage: number };
}

/** The milestones of a project. */
export function MilestonesPage(props: MilestonesPageProps): VNode {
  const { context, query, page, paging, progressOf } = props;
  return (
    <>
      <PageHeader title="Milestones" actions={<CreateLink context={context} />} />
      <StateTabs {...props} />
      <FilterBar
        path={context.path}
        search={query.search}

        kept={{ state: query.state }}
      />
      {page.items.length === 0 ? (
        <NoMilestones {...props} />
      ) : (
        <Card flush>
          <ItemList label="Milestones">
            {page.items.map((milestone) => (
              <MilestoneItem
                key={milestone.id}
                milestone={milestone}
                context={context}
                progress={progressOf?.(milestone.id) ?? null}
              />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={context.path}
        query={{ state: query.state, search: query.search }}
      />
    </>
  );
}

function CreateLink({ context }: { context: MilestonePageContext }): VNode | null {
  if (!context.mayChange) return null;
  return <ButtonLink href={`${context.path}/new`}>New milestone</ButtonLink>;
}

function StateTabs({ context, query, counts }: MilestonesPageProps): VNode {
  const address = (state: string): string => {
    const params = new URLSearchParams(query.search ? { search: query.search } : {});
    params.set('state', state);
    return `${context.path}?${params.toString()}`;
  };
  const items = [
    { label: 'Open', href: address('active'), count: counts.active },
    { label: 'Closed', href: address('closed'), count: counts.closed },
    { label: 'All', href: address('all'), count: counts.all },
  ];
  return <Tabs label="State" items={items} current={address(query.state ?? 'active')} />;
}

interface MilestoneItemProps {
  milestone: MilestoneRow;
  context: MilestonePageContext;
  progress: MilestoneProgress | null;
}

function MilestoneItem({ milestone, context, progress }: MilestoneItemProps): VNode {
  const title = (
    <>
      <a class="prose-link wrap-anywhere" href={`${context.path}/${milestone.iid}`}>
        {milestone.title}
      </a>
      <MilestoneState milestone={milestone} />
    </>
  );
  return (
    <Item
      title={title}
      actions={progress === null ? undefined : <ProgressOf progress={progress} />}
    >
      {datesOf(milestone)}
    </Item>
  );
}

function NoMilestones({ context, query, counts }: MilestonesPageProps): VNode {
  if (counts.all > 0 || query.search) {
    return <EmptyState title="No milestones match these filters" />;
  }
  return (
    <EmptyState title="No milestones yet" action={<CreateLink context={context} />}>
      Group issues and merge requests by a target date.
    </EmptyState>
  );
}

/** Open, closed, or late. */
export function MilestoneState({ milestone }: { milestone: MilestoneRow }): VNode {
  if (milestone.state === 'closed') return <Badge>Closed</Badge>;
  if (milestone.expired) return <Badge tone="warning">Expired</Badge>;
  return <Badge tone="success">Open</Badge>;
}

/** When the work begins and when it is to be done, in a few words. */
export function datesOf({ startDate, dueDate }: MilestoneRow): string {
  if (startDate !== null && dueDate !== null)
    return `${dateText(startDate)} to ${dateText(dueDate)}`;
  if (dueDate !== null) return `Due ${dateText(dueDate)}`;
  return startDate === null ? 'No dates' : `From ${dateText(startDate)}`;
}

/** Completed share of the milestone's work. */
export function ProgressOf({ progress }: { progress: MilestoneProgress }): VNode {
  const { total, closed } = progress;
  const done = total === 0 ? 'No issues yet' : `${closed} of ${total} issues closed`;
  return (
    <div class="flex flex-wrap items-center gap-x-3">
      <span class="text-muted-foreground">
        {total === 0 ? done : `${done} (${Math.floor((closed * 100) / total)} %)`}
      </span>
      <span class="w-32">
        <ProgressBar value={closed} max={Math.max(total, 1)} label={done} />
      </span>
    </div>
  );
}
