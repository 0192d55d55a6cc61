import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CurrentGroup, GroupPage } from '../group-access.guard.js';
import type { GroupRow } from '../groups.repository.js';
import { ListMembersPageDto } from '../../../identity/members/member.dto.js';
import { MemberPages } from '../../../identity/members/pages/member-pages.service.js';
import { canInGroup } from '../../../identity/members/abilities.js';
import { managerOf } from '../../../identity/members/members.service.js';
import { groupSource } from '../../../identity/members/member-source.js';
import { groupInfo } from './group-frame.js';
import type { MembersPageContext } from '../../../identity/members/pages/members.page.js';

/** Members of a group; its owners manage them. */
@Controller(atRoot('groups/*group_path/-/group_members'))
export class GroupMemberPagesController {
  constructor(private readonly pages: MemberPages) {}

  /** Lists the members, with a form for a new one. */
  @Get()
  @GroupPage('read_group_members', 'anyone')
  list(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @Input() filters: ListMembersPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(pageContext, groupMembersPageContext(group, auth), { filters, paging });
  }

  /** Adds a member. */
  @Post()
  @GroupPage('admin_group', 'signed_in')
  add(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.add(pageContext, groupMembersPageContext(group, auth), { form, paging });
  }

  /** Changes role and end of a membership. */
  @Post(':user_id')
  @GroupPage('admin_group', 'signed_in')
  update(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    return this.pages.update(
      pageContext,
      { context: groupMembersPageContext(group, auth), userId },
      form,
    );
  }

  /** Removes a member; everyone can leave. */
  @Post(':user_id/remove')
  @GroupPage('read_group_members', 'signed_in')
  remove(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
  ): Promise<HttpResponse> {
    return this.pages.remove(pageContext, {
      context: groupMembersPageContext(group, auth),
      userId,
    });
  }
}

/** The group as the pages of members need it. */
function groupMembersPageContext(group: GroupRow, auth: AuthContext): MembersPageContext {
  const { viewer } = auth;
  return {
    source: groupSource(group),
    manager: managerOf(group, auth),
    mayManage: canInGroup('admin_group', { ...group, viewer }),
    path: `/groups/${group.fullPath}/-/group_members`,
    info: groupInfo(group, 'Members'),
  };
}
