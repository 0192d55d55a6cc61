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
import { ListMembersPageDto } from '../../../identity/members/member.dto.js';
import { MemberPages } from '../../../identity/members/pages/member-pages.service.js';
import { CurrentProject } from '../project-access.guard.js';
import { type ProjectRow, fullPathOf } from '../projects.repository.js';
import { ProjectPage } from './project-page.guard.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { managerOf } from '../../../identity/members/members.service.js';
import { projectSource } from '../../../identity/members/member-source.js';
import { projectInfo } from './project-frame.js';
import type { MembersPageContext } from '../../../identity/members/pages/members.page.js';

/** Members of a project; its maintainers manage them. */
@Controller(atRoot('*project_path/-/project_members'))
export class ProjectMemberPagesController {
  constructor(private readonly pages: MemberPages) {}

  /** Lists the members, with a form for a new one. */
  @Get()
  @ProjectPage('read_members', 'anyone')
  list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @Input() filters: ListMembersPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(pageContext, projectMembersPageContext(project, auth), {
      filters,
      paging,
    });
  }

  /** Adds a member. */
  @Post()
  @ProjectPage('admin_members', 'signed_in')
  add(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.add(pageContext, projectMembersPageContext(project, auth), { form, paging });
  }

  /** Changes role and end of a membership. */
  @Post(':user_id')
  @ProjectPage('admin_members', 'signed_in')
  update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    return this.pages.update(
      pageContext,
      { context: projectMembersPageContext(project, auth), userId },
      form,
    );
  }

  /** Removes a member; everyone can leave. */
  @Post(':user_id/remove')
  @ProjectPage('read_members', 'signed_in')
  remove(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
  ): Promise<HttpResponse> {
    return this.pages.remove(pageContext, {
      context: projectMembersPageContext(project, auth),
      userId,
    });
  }
}

/** The project as the pages of members need it. */
function projectMembersPageContext(project: ProjectRow, auth: AuthContext): MembersPageContext {
  const { viewer } = auth;
  return {
    source: projectSource(project),
    manager: managerOf(project, auth),
    mayManage: canInProject('admin_members', { ...project, viewer }),
    path: `/${fullPathOf(project)}/-/project_members`,
    info: projectInfo(project, 'Members'),
  };
}
