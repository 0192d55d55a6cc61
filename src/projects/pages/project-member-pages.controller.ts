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
import { ListMembersPageDto } from '../../members/member.dto.js';
import { MemberPages } from '../../members/pages/member-pages.service.js';
import { CurrentProject } from '../project-access.guard.js';
import type { ProjectRow } from '../projects.repository.js';
import { projectMembersPlace } from './project-members-place.js';
import { ProjectPage } from './project-page.guard.js';

/** Members of a project; its maintainers manage them. */
@Controller(atRoot('*project_path/-/project_members'))
export class ProjectMemberPagesController {
  constructor(private readonly pages: MemberPages) {}

  /** Lists the members, with a form for a new one. */
  @Get()
  @ProjectPage('read_members', 'anyone')
  list(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @Input() filters: ListMembersPageDto,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.list(shell, projectMembersPlace(project, auth), { filters, paging });
  }

  /** Adds a member. */
  @Post()
  @ProjectPage('admin_members', 'signed_in')
  add(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.add(shell, projectMembersPlace(project, auth), { form, paging });
  }

  /** Changes role and end of a membership. */
  @Post(':user_id')
  @ProjectPage('admin_members', 'signed_in')
  update(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<Answer> {
    return this.pages.update(shell, { place: projectMembersPlace(project, auth), userId }, form);
  }

  /** Removes a member; everyone can leave. */
  @Post(':user_id/remove')
  @ProjectPage('read_members', 'signed_in')
  remove(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
  ): Promise<Answer> {
    return this.pages.remove(shell, { place: projectMembersPlace(project, auth), userId });
  }
}
