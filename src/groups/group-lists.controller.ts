import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { Presenting, type Presentation } from '../core/presentation.js';
import { ListGroupsDto } from './dto/list-groups.dto.js';
import { CurrentGroup, GroupAbility } from './group-access.guard.js';
import type { GroupRow } from './group-row.js';
import { presentGroup } from './group.presenter.js';
import { GroupsFinder } from './groups-finder.service.js';

/** Lists of groups. */
@Controller('groups')
@Scopes()
export class GroupListsController {
  constructor(private readonly finder: GroupsFinder) {}

  @Get()
  @Ability('anyone')
  async list(
    @Input() filters: ListGroupsDto,
    @Presenting() presentation: Presentation,
    @Pages() paging: Paging,
  ): Promise<object[]> {
    const query = { filters, viewer: presentation.viewer };
    const page = await this.finder.list(query, paging);
    return paging.write(mapPage(page, (group) => presentGroup(group, presentation)));
  }

  @Get(':id/subgroups')
  @GroupAbility('read_group')
  async subgroups(
    @CurrentGroup() parent: GroupRow,
    @Input() filters: ListGroupsDto,
    @Presenting() presentation: Presentation,
    @Pages() paging: Paging,
  ): Promise<object[]> {
    const query = { filters, viewer: presentation.viewer, parentId: parent.id };
    const page = await this.finder.list(query, paging);
    return paging.write(mapPage(page, (group) => presentGroup(group, presentation)));
  }
}
