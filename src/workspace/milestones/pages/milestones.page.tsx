import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { MilestoneRow } from '../milestones.repository.js';
import type { MilestoneCounts } from '../milestones.repository.js';
import { datesOf, MilestoneState, ProgressOf } from './milestone-facts.js';
import { ProjectLayout, type MilestonePageContext } from './milestone-page-context.js';
import type { MilestoneProgress } from '../milestones.repository.js';
import type { MilestonesQuery } from './milestones-query.js';

interface MilestonesPageProps {
  place: MilestonePageContext;
  query: MilestonesQuery;
  page: Page<MilestoneRow>;
  counts: MilestoneCounts;
  /** null where there are no issues to count. */
  progressOf: ((id: number) => MilestoneProgress) | null;
  paging: { page: number; perPage: number };
}

/** The milestones of a project. */
export function MilestonesPage(props: MilestonesPageProps): VNode {
  const { place, query, page, paging, progressOf } = props;
  return (
    <ProjectLayout place={place} title="Milestones" actions={<CreateLink place={place} />}>
      <StateTabs {...props} />
      <Form action={place.path} method="get" label="Filters" class="filters">
        <input type="hidden" name="state" value={query.state ?? 'active'} />
        <TextField type="search" name="search" label="Search" value={query.search} bare />
        <Button variant="outline">Apply</Button>
      </Form>
      {page.items.length === 0 ? (
        <NoMilestones {...props} />
      ) : (
        <Card flush>
          <ItemList label="Milestones">
            {page.items.map((milestone) => (
              <MilestoneItem
                key={milestone.id}
                milestone={milestone}
                place={place}
                progress={progressOf?.(milestone.id) ?? null}
              />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={place.path}
        query={{ state: query.state, search: query.search }}
      />
    </ProjectLayout>
  );
}

function CreateLink({ place }: { place: MilestonePageContext }): VNode | null {
  if (!place.mayChange) return null;
  return <ButtonLink href={`${place.path}/new`}>New milestone</ButtonLink>;
}

function StateTabs({ place, query, counts }: MilestonesPageProps): VNode {
  const address = (state: string): string => {
    const params = new URLSearchParams(query.search ? { search: query.search } : {});
    params.set('state', state);
    return `${place.path}?${params.toString()}`;
  };
  const items = [
    { label: 'Open', href: address('active'), count: counts.active },
    { label: 'Closed', href: address('closed'), count: counts.closed },
    { label: 'All', href: address('all'), count: counts.all },
  ];
  return (
    <Tabs label="State" items={items} current={address(query.state ?? 'active')} variant="pills" />
  );
}

interface MilestoneItemProps {
  milestone: MilestoneRow;
  place: MilestonePageContext;
  progress: MilestoneProgress | null;
}

function MilestoneItem({ milestone, place, progress }: MilestoneItemProps): VNode {
  const title = (
    <>
      <a class="prose-link wrap-anywhere" href={`${place.path}/${milestone.iid}`}>
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

function NoMilestones({ place, query, counts }: MilestonesPageProps): VNode {
  if (counts.all > 0 || query.search) {
    return <EmptyState title="No milestones here">Nothing matches these filters.</EmptyState>;
  }
  return (
    <EmptyState title="No milestones yet" action={<CreateLink place={place} />}>
      A milestone is a goal with a date, towards which issues work.
    </EmptyState>
  );
}
