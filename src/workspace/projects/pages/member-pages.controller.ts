import { Controller, Get, Post } from '@nestjs/common';
import { Auth, type AuthContext, type SignedInContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { AccessRequestsService } from '../../../identity/members/access-requests/access-requests.service.js';
import { ListMembersPageDto } from '../../../identity/members/member.dto.js';
import { managerOf } from '../../../identity/members/members.service.js';
import { MemberPages } from '../../../identity/members/pages/member-pages.service.js';
import type { MembersPageContext } from '../../../identity/members/pages/members.page.js';
import { requestedGroup, requestedProject } from '../current-source.decorator.js';
import { ProjectsRepository } from '../projects.repository.js';
import {
  ContainerPage,
  CurrentContainer,
  ofContainer,
  type PageContainer,
} from './container-page.guard.js';

const READ = { project: 'read_members', group: 'read_group_members' } as const;
const MANAGE = { project: 'admin_members', group: 'admin_group' } as const;

/** Members of a project or group; its maintainers or owners manage them. */
@Controller(ofContainer('project_members', 'group_members'))
export class MemberPagesController {
  constructor(
    private readonly pages: MemberPages,
    private readonly requests: AccessRequestsService,
    private readonly projects: ProjectsRepository,
  ) {}

  /** Lists the members, with a form for a new one. */
  @Get()
  @ContainerPage(READ, 'anyone')
  list(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @Input() filters: ListMembersPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(pageContext, contextOf(container, auth), { filters, paging });
  }

  @Post()
  @ContainerPage(MANAGE, 'signed_in')
  add(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.add(pageContext, contextOf(container, auth), { form, paging });
  }

  /** Changes role and end of a membership. */
  @Post(':user_id')
  @ContainerPage(MANAGE, 'signed_in')
  update(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const context = contextOf(container, auth);
    return this.pages.update(pageContext, { context, userId }, form);
  }

  /** Removes a member; everyone can leave. */
  @Post(':user_id/remove')
  @ContainerPage(READ, 'signed_in')
  remove(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
  ): Promise<HttpResponse> {
    return this.pages.remove(pageContext, { context: contextOf(container, auth), userId });
  }

  /** Requests access for the viewer. */
  @Post('access_requests')
  @RateLimit('create')
  @ContainerPage(READ, 'signed_in')
  async request(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const requested =
      container.kind === 'group'
        ? requestedGroup(container.group)
        : requestedProject(
            await this.projects.getById(container.project.id, auth.viewer?.id ?? null),
          );
    await this.requests.request(requested, auth);
    return pageContext.redirect(container.path, { notice: 'Access requested.' });
  }

  /** Withdraws the viewer's own request. */
  @Post('access_requests/withdraw')
  @ContainerPage(READ, 'signed_in')
  async withdraw(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const own = { userId: auth.viewer.id, preconditions: NO_PRECONDITIONS };
    await this.requests.remove(container.source, own, auth);
    return pageContext.redirect(container.path, { notice: 'Request withdrawn.' });
  }

  /** Makes the user who requested access a member. */
  @Post('access_requests/:user_id/approve')
  @ContainerPage(MANAGE, 'signed_in')
  approve(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const context = contextOf(container, auth);
    return this.pages.approve(pageContext, { context, userId }, form);
  }

  @Post('access_requests/:user_id/deny')
  @ContainerPage(MANAGE, 'signed_in')
  deny(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @IntegerId('user_id') userId: number,
  ): Promise<HttpResponse> {
    return this.pages.deny(pageContext, { context: contextOf(container, auth), userId });
  }
}

/** The project or group as the pages of members need it. */
function contextOf(container: PageContainer, auth: AuthContext): MembersPageContext {
  const { kind, path, source } = container;
  return {
    source,
    manager: managerOf(container, auth),
    mayManage: container.can(MANAGE),
    path: `${path}/-/${kind}_members`,
    info: container.info('Members'),
  };
}
