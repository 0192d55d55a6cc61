import { Controller, Get, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import type { Page } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { TextParam } from '../../../core/params/params.decorator.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { ItemList, Pagination } from '../../../core/ui/components/list.js';
import { filledIn } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  addressOfTyped,
  commonFilters,
  Filters,
  isFiltered,
  isNoneOrAny,
  IssuableItem,
  IssuableQuery,
  keptFilters,
  nameIn,
  StateTabs,
} from '../../../workspace/issues/pages/issuable-list.js';
import { LabelsRepository } from '../../../workspace/labels/labels.repository.js';
import { Labels, type LabelsByName } from '../../../workspace/labels/pages/label-chips.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { ListMergeRequestsDto } from '../merge-request.dto.js';
import { type MergeRequestCounts, MergeRequestsRepository } from '../merge-requests.repository.js';
import type { MergeRequestRow } from '../sql/merge-requests.js';
import { MergeRequestMarks, StateIcon } from './merge-request-frame.js';
import {
  mergeRequestPageContext,
  type MergeRequestPageContext,
  mergeRequestPageInfo,
} from './merge-request-page-context.js';

const STATES = ['opened', 'merged', 'closed', 'all'] as const;

/** Orders of the list: their label, and the parameters of the list. */
const LIST_ORDERS = {
  created_desc: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Recently updated', order_by: 'updated_at', sort: 'desc' },
  merged_desc: { label: 'Recently merged', order_by: 'merged_at', sort: 'desc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
} as const;
type OrderName = keyof typeof LIST_ORDERS;
const ORDER_NAMES = Object.keys(LIST_ORDERS) as OrderName[];

/** Filters of the list of merge requests, as its addresses have them. */
class MergeRequestsQuery extends IssuableQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam()
  author?: string | null;

  @TextParam()
  reviewer?: string | null;

  @TextParam({ values: ORDER_NAMES })
  order?: OrderName | null;
}

/** Returns the parameters of the list. */
function filtersOf(query: MergeRequestsQuery): ListMergeRequestsDto {
  const { order_by, sort } = LIST_ORDERS[query.order ?? 'created_desc'];
  const [author, reviewer] = [nameIn(query.author), nameIn(query.reviewer)];
  return {
    state: query.state ?? 'opened',
    order_by,
    sort,
    ...commonFilters(query),
    ...(author && { author_username: author }),
    ...(reviewer &&
      (isNoneOrAny(reviewer) ? { reviewer_id: reviewer } : { reviewer_username: reviewer })),
  };
}

/** The list of a project's merge requests; there is none in one that has them off. */
@Controller(atRoot('*project_path/-/merge_requests'))
export class MergeRequestListPagesController {
  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly labels: LabelsRepository,
  ) {}

  /** Lists the merge requests that the viewer can see, the open ones by default. */
  @Get()
  @ProjectPage('read_merge_request', 'anyone')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = mergeRequestPageContext(project, pageContext);
    const typed = addressOfTyped(context.path, raw);
    if (typed !== null) return pageContext.redirect(typed);
    const query = await parseInput(MergeRequestsQuery, filledIn(raw));
    const filters = filtersOf(query);
    const selection = { projectId: project.id };
    const [page, counts] = await Promise.all([
      this.repository.list(pageContext.viewer, selection, { filters, paging }),
      this.repository.countByState(pageContext.viewer, selection, filters),
    ]);
    const names = page.items.flatMap((row) => row.labels);
    const labels = await this.labels.byName(project.id, names);
    const content = MergeRequestsPage({ context, query, page, counts, labels, paging });
    return pageContext.render(content, { ...mergeRequestPageInfo(context), count: page.total });
  }
}

interface MergeRequestsPageProps {
  context: MergeRequestPageContext;
  query: MergeRequestsQuery;
  page: Page<MergeRequestRow>;
  counts: MergeRequestCounts;
  labels: LabelsByName;
  paging: { page: number; perPage: number };
}

/** The merge requests of a project. */
function MergeRequestsPage(props: MergeRequestsPageProps): VNode {
  const { context, query, page, counts, labels, paging } = props;
  return (
    <>
      <PageHeader title="Merge requests" actions={<CreateLink context={context} />} />
      <StateTabs
        path={context.path}
        query={query}
        tabs={[
          { label: 'Open', state: 'opened', count: counts.opened },
          { label: 'Merged', state: 'merged', count: counts.merged },
          { label: 'Closed', state: 'closed', count: counts.closed },
          { label: 'All', state: 'all', count: counts.all },
        ]}
      />
      <Filters
        projectId={context.project.id}
        path={context.path}
        query={query}
        roles={['author', 'assignee', 'reviewer']}
        orders={LIST_ORDERS}
      />
      {page.items.length === 0 ? (
        <NoMergeRequests {...props} />
      ) : (
        <Card flush>
          <ItemList label="Merge requests">
            {page.items.map((row) => (
              <MergeRequestItem key={row.id} row={row} context={context} labels={labels} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={context.path}
        query={{ state: query.state, ...Object.fromEntries(keptFilters(query)) }}
      />
    </>
  );
}

function CreateLink({ context }: { context: MergeRequestPageContext }): VNode | null {
  if (!context.mayCreate || context.project.emptyRepo) return null;
  return <ButtonLink href={`${context.path}/new`}>New merge request</ButtonLink>;
}

function NoMergeRequests({ context, query, counts }: MergeRequestsPageProps): VNode {
  if (counts.all > 0 || isFiltered(query)) {
    return <EmptyState title="No merge requests match these filters" />;
  }
  if (context.project.emptyRepo) {
    return (
      <EmptyState
        title="Nothing to merge yet"
        action={
          <ButtonLink href={context.code.branches} variant="outline">
            How to push
          </ButtonLink>
        }
      >
        The repository is empty. Push a branch to merge it into the default branch.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No merge requests yet" action={<CreateLink context={context} />}>
      Push a branch and open a merge request to review and merge your changes.
    </EmptyState>
  );
}

interface MergeRequestItemProps {
  row: MergeRequestRow;
  context: MergeRequestPageContext;
  labels: LabelsByName;
}

/** One merge request of a list. */
function MergeRequestItem({ row, context, labels }: MergeRequestItemProps): VNode {
  return (
    <IssuableItem
      row={row}
      href={`${context.path}/${row.iid}`}
      reference={`!${row.iid}`}
      state={<StateIcon row={row} />}
      marks={
        <>
          <MergeRequestMarks row={row} />
          <Labels names={row.labels} known={labels} list={context.path} />
        </>
      }
      facts={
        <span class="branches">
          {row.sourceBranch}
          {row.targetBranch !== context.project.defaultBranch && ` → ${row.targetBranch}`}
        </span>
      }
      reviewers={row.reviewers}
    />
  );
}
