import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import type { Page as ListPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Pagination } from '../../../core/ui/components/list.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { ListPageDto, ORDER_CHOICES, ORDER_PARAMS } from '../group.dto.js';
import { GroupsService } from '../groups.service.js';
import { GroupsRepository, type GroupRow } from '../groups.repository.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { GroupTable } from './group-table.js';

/** The viewer's own groups. */
@Controller(atRoot('dashboard/groups'))
@Page('signed_in')
export class GroupListPagesController {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly service: GroupsService,
  ) {}

  /** Lists the groups that the viewer is a member of. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'name';
    const filters = { search: search ?? null, all_available: false, ...ORDER_PARAMS[order] };
    const [page, mayCreate] = await Promise.all([
      this.groups.list({ filters, viewer }, paging),
      this.service.mayCreateTopLevel(viewer),
    ]);
    const content = GroupsPage({ page, paging, search: search ?? '', order, mayCreate });
    return pageContext.render(content, { title: 'Groups', nav: 'groups' });
  }
}

interface GroupsPageProps {
  page: ListPage<GroupRow>;
  paging: { page: number; perPage: number };
  search: string;
  order: string;
  mayCreate: boolean;
}

const PATH = '/dashboard/groups';

/** The groups that the viewer is a member of. */
function GroupsPage({ page, paging, search, order, mayCreate }: GroupsPageProps): VNode {
  const create = mayCreate && <ButtonLink href="/groups/new">New group</ButtonLink>;
  const query = { search, sort: order };
  return (
    <>
      <PageHeader title="Your groups" actions={create} />
      <FilterBar
        path={PATH}
        label="Find groups"
        search={search}
        sort={{ name: 'sort', options: ORDER_CHOICES, value: order }}
      />
      {page.items.length === 0 ? (
        <NoGroups search={search} />
      ) : (
        <GroupTable caption="Your groups" groups={page.items} />
      )}
      <Pagination page={page} paging={paging} path={PATH} query={query} />
    </>
  );
}

function NoGroups({ search }: { search: string }): VNode {
  if (search !== '') return <EmptyState title="No groups match your search" />;
  return (
    <EmptyState title="You are not a member of any group yet">
      Groups organize projects and their members.
    </EmptyState>
  );
}
