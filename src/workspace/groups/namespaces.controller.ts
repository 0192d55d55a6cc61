import { Controller, Get, Param } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { parseIdOrPath } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { ListNamespacesDto } from './group.dto.js';
import { presentNamespace, type NamespaceResponse } from './group.response.js';
import { VisibleNamespacesRepository } from './visible-namespaces.repository.js';

/** Where projects can lie: namespaces of users, and groups. */
@Controller('namespaces')
@Scopes()
@Ability('signed_in')
export class NamespacesController {
  constructor(private readonly namespaces: VisibleNamespacesRepository) {}

  /** Lists the viewer's own namespace and the groups they belong to; all for administrators. */
  @Get()
  async list(
    @Input() filters: ListNamespacesDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NamespaceResponse[]> {
    const page = await this.namespaces.list(filters, viewer, paging);
    return paging.write(mapPage(page, (row) => presentNamespace(row, baseUrl)));
  }

  /** Shows a namespace, by its ID or full path. */
  @Get(':id')
  async show(
    @Param('id') id: string,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<NamespaceResponse> {
    return presentNamespace(await this.namespaces.findVisible(parseIdOrPath(id), viewer), baseUrl);
  }
}
