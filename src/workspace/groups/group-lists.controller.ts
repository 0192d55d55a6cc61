import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { cursorAfter } from '../../core/pagination/cursor.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { ListGroupsDto } from './group.dto.js';
import { CurrentGroup, GroupAbility } from './group-access.guard.js';
import { type GroupRow, GroupsRepository } from './groups.repository.js';
import { GROUP_ORDER, readGroupCursor, wantsGroupKeyset } from './group-keyset.js';
import { presentGroup } from './group.presenter.js';
import type { GroupResponse } from './group.response.js';

/** Lists of groups. */
@Controller('groups')
@Scopes()
export class GroupListsController {
  constructor(private readonly groups: GroupsRepository) {}

  /**
   * Lists the groups that the viewer can see. With `pagination=keyset` (anonymous callers only) by
   * name, each page links to the next by its last group until one is empty.
   */
  @Get()
  @ApiErrors(405)
  @Ability('anyone')
  async list(
    @Input() filters: ListGroupsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<GroupResponse[]> {
    const query = { filters, viewer: presentation.viewer };
    const present = (group: GroupRow): GroupResponse => presentGroup(group, presentation);
    if (!wantsGroupKeyset(filters, presentation.viewer)) {
      return paging.write(mapPage(await this.groups.list(query, paging), present));
    }
    const items = await this.groups.listAfter(query, readGroupCursor(filters), paging.perPage);
    return paging.writeKeyset(items.map(present), cursorAfter(items, GROUP_ORDER));
  }

  /** Lists the direct subgroups of a group that the viewer can see. */
  @Get(':id/subgroups')
  @GroupAbility('read_group')
  async subgroups(
    @CurrentGroup() parent: GroupRow,
    @Input() filters: ListGroupsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<GroupResponse[]> {
    const query = { filters, viewer: presentation.viewer, parentId: parent.id };
    const page = await this.groups.list(query, paging);
    return paging.write(mapPage(page, (group) => presentGroup(group, presentation)));
  }
}
