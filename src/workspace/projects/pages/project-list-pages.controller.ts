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
import { FINDER_ORDERS, ListPageDto } from '../../groups/pages/list-page.dto.js';
import { ProjectsRepository } from '../projects.repository.js';
import { ProjectsPage } from './projects.page.js';

/** The viewer's own projects. */
@Controller(atRoot('dashboard/projects'))
@Page('signed_in')
export class ProjectListPagesController {
  constructor(private readonly projects: ProjectsRepository) {}

  /** Lists the projects that the viewer is a member of. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'newest';
    const filters = { search: search ?? null, membership: true, ...FINDER_ORDERS[order] };
    const page = await this.projects.list({ filters, viewer }, paging);
    const content = ProjectsPage({ page, paging, search: search ?? '', order });
    return pageContext.render(content, { title: 'Projects', nav: 'projects' });
  }
}
