import { Controller, Get, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import type { Page } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { ItemList, Pagination } from '../../../core/ui/components/list.js';
import { filledIn } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import type { IssueType } from '../issue.entity.js';
import { IssuesRepository, type IssueCounts } from '../issues.repository.js';
import { filtersOf, IssueItem, IssuesQuery, LIST_ORDERS } from './issue-list.js';
import { issuePageContext, issuePageInfo, type IssuePageContext } from './issue-page-context.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import type { IssueRow } from '../sql/issue-list.js';
import { addressOfTyped, Filters, isFiltered, keptFilters, StateTabs } from './issuable-list.js';
import { FEED_TOKEN_PATH, FeedTokens } from '../../../identity/tokens/feed-tokens.service.js';
import { LabelsRepository } from '../../labels/labels.repository.js';
import type { LabelsByName } from '../../labels/pages/label-chips.js';
import {
  MilestonesRepository,
  type NamedMilestone,
} from '../../milestones/milestones.repository.js';
import { IssueBulkBar } from './issue-bulk-pages.controller.js';
import { feedAddress } from './issue-feeds.controller.js';

interface ListRequest {
  type: IssueType;
  raw: Record<string, unknown>;
  paging: Paging;
}

/** Lists of a project's issues and incidents; 404 if issues are disabled. */
@Controller(atRoot('*project_path/-'))
export class IssueListPagesController {
  constructor(
    private readonly repository: IssuesRepository,
    private readonly labels: LabelsRepository,
    private readonly feedTokens: FeedTokens,
    private readonly milestones: MilestonesRepository,
  ) {}

  /** Lists the issues that the viewer can see, without incidents. */
  @Get('issues')
  @ProjectPage('read_issue', 'anyone')
  issues(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.list(pageContext, project, { type: 'issue', raw, paging });
  }

  /** Lists the incidents that the viewer can see. */
  @Get('incidents')
  @ProjectPage('read_issue', 'anyone')
  incidents(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.list(pageContext, project, { type: 'incident', raw, paging });
  }

  private async list(
    pageContext: PageContext,
    project: ProjectRow,
    { type, raw, paging }: ListRequest,
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    const typed = addressOfTyped(type === 'incident' ? context.incidents : context.issues, raw);
    if (typed !== null) return pageContext.redirect(typed);
    const query = await parseInput(IssuesQuery, filledIn(raw));
    const filters = filtersOf(query, type);
    const selection = { projectId: project.id };
    const { viewer } = pageContext;
    const isBulk = type === 'issue' && context.mayReport && !project.archived;
    const [page, counts, token, milestones] = await Promise.all([
      this.repository.list(viewer, selection, { filters, paging }),
      this.repository.countForTabs(viewer, selection, filters),
      viewer === null || type === 'incident' ? null : this.feedTokens.find(viewer.id),
      isBulk ? this.milestones.choices(project.id, null) : null,
    ]);
    const feed = type === 'incident' ? null : feedAddress(context.issues, query, token);
    const names = page.items.flatMap((issue) => issue.labels);
    const labels = await this.labels.byName(project.id, names);
    // Signed-in users without a feed token create one first.
    const feedLink = feed !== null && viewer !== null && token === null ? FEED_TOKEN_PATH : feed;
    const bulk = milestones && { csrfToken: pageContext.csrfToken, milestones };
    const list = { query, page, counts, labels, paging };
    const content = IssuesPage({ context, type, ...list, feedLink, bulk });
    const info = { ...issuePageInfo(context, type), count: page.total };
    return pageContext.render(content, feed === null ? info : { ...info, feed });
  }
}

interface IssuesPageProps {
  context: IssuePageContext;
  type: IssueType;
  query: IssuesQuery;
  page: Page<IssueRow>;
  counts: IssueCounts;
  labels: LabelsByName;
  paging: { page: number; perPage: number };
  feedLink: string | null;
  /** For the form that changes several issues; null without permission. */
  bulk: { csrfToken: string; milestones: NamedMilestone[] } | null;
}

/** The issues of a project, or its incidents. */
function IssuesPage(props: IssuesPageProps): VNode {
  const { context, type, query, page, counts, labels, paging, feedLink, bulk } = props;
  const path = type === 'incident' ? context.incidents : context.issues;
  return (
    <>
      <PageHeader
        title={type === 'incident' ? 'Incidents' : 'Issues'}
        actions={
          <>
            <CreateLink context={context} type={type} />
            {feedLink !== null && (
              <OverflowMenu of="issues">
                <ButtonLink href={feedLink} variant="outline">
                  Atom feed
                </ButtonLink>
              </OverflowMenu>
            )}
          </>
        }
      />
      <StateTabs
        path={path}
        query={query}
        tabs={[
          { label: 'Open', state: 'opened', count: counts.opened },
          { label: 'Closed', state: 'closed', count: counts.closed },
          { label: 'All', state: 'all', count: counts.all },
        ]}
      />
      <Filters
        projectId={context.project.id}
        path={path}
        query={query}
        roles={['assignee']}
        orders={LIST_ORDERS}
      />
      {page.items.length === 0 ? (
        <NoIssues {...props} />
      ) : (
        <Card flush>
          <ItemList label={type === 'incident' ? 'Incidents' : 'Issues'}>
            {page.items.map((issue) => (
              <IssueItem
                key={issue.id}
                {...{ issue, context, list: path, labels }}
                isSelectable={bulk !== null}
              />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={path}
        query={{ state: query.state, ...Object.fromEntries(keptFilters(query)) }}
      />
      {bulk !== null && <IssueBulkBar {...bulk} path={path} query={query} />}
    </>
  );
}

function CreateLink({ context, type }: Pick<IssuesPageProps, 'context' | 'type'>): VNode | null {
  if (!context.mayCreate || (type === 'incident' && !context.mayReport)) return null;
  const isIncident = type === 'incident';
  return (
    <ButtonLink href={`${context.issues}/new${isIncident ? '?type=incident' : ''}`}>
      {isIncident ? 'New incident' : 'New issue'}
    </ButtonLink>
  );
}

function NoIssues({ context, type, query, counts }: IssuesPageProps): VNode {
  const things = type === 'incident' ? 'incidents' : 'issues';
  if (counts.all > 0 || isFiltered(query)) {
    return <EmptyState title={`No ${things} match these filters`} />;
  }
  return (
    <EmptyState title={`No ${things} yet`} action={<CreateLink context={context} type={type} />}>
      {type === 'incident'
        ? 'Track service disruptions here. Alerts can open incidents automatically.'
        : 'Issues track tasks, bugs and discussions.'}
    </EmptyState>
  );
}
