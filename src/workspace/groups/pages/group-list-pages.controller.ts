import { Controller, Get } from '@nestjs/common';
import { Page } from '../../../core/access/page.decorator.js';
import { CurrentUser } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { GroupPermissions } from '../group-permissions.service.js';
import { GroupsRepository } from '../groups.repository.js';
import { GroupsPage } from './groups.page.js';
import { FINDER_ORDERS, ListPageDto } from './list-page.dto.js';

/** The viewer's own groups. */
@Controller(atRoot('dashboard/groups'))
@Page('signed_in')
export class GroupListPagesController {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly permissions: GroupPermissions,
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
    const filters = { search: search ?? null, all_available: false, ...FINDER_ORDERS[order] };
    const [page, mayCreate] = await Promise.all([
      this.groups.list({ filters, viewer }, paging),
      this.permissions.mayCreateTopLevel(viewer),
    ]);
    const content = GroupsPage({ page, paging, search: search ?? '', order, mayCreate });
    return pageContext.render(content, { title: 'Groups', nav: 'groups' });
  }
}
