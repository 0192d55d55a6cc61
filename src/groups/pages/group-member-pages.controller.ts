import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { CurrentGroup } from '../group-access.guard.js';
import type { GroupRow } from '../groups.repository.js';
import { ListMembersPageDto } from '../../members/member.dto.js';
import { MemberPages } from '../../members/pages/member-pages.service.js';
import { GroupPage } from './group-page.guard.js';
import { groupMembersPlace } from './group-members-place.js';

/** Members of a group; its owners manage them. */
@Controller(atRoot('groups/*group_path/-/group_members'))
export class GroupMemberPagesController {
  constructor(private readonly pages: MemberPages) {}

  /** Lists the members, with a form for a new one. */
  @Get()
  @GroupPage('read_group_members', 'anyone')
  list(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @Input() filters: ListMembersPageDto,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.list(shell, groupMembersPlace(group, auth), { filters, paging });
  }

  /** Adds a member. */
  @Post()
  @GroupPage('admin_group', 'signed_in')
  add(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.add(shell, groupMembersPlace(group, auth), { form, paging });
  }

  /** Changes role and end of a membership. */
  @Post(':user_id')
  @GroupPage('admin_group', 'signed_in')
  update(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<Answer> {
    return this.pages.update(shell, { place: groupMembersPlace(group, auth), userId }, form);
  }

  /** Removes a member; everyone can leave. */
  @Post(':user_id/remove')
  @GroupPage('read_group_members', 'signed_in')
  remove(
    @Shell() shell: PageShell,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
  ): Promise<Answer> {
    return this.pages.remove(shell, { place: groupMembersPlace(group, auth), userId });
  }
}
