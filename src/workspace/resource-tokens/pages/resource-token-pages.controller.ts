import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CurrentGroup, GroupPage } from '../../groups/group-access.guard.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { ListTokensPageDto } from '../resource-token.dto.js';
import { ResourceTokenPages } from './resource-token-pages.service.js';
import { groupTokensPageContext, projectTokensPageContext } from './tokens-page-context.js';

/** Access tokens of a project; for its maintainers. */
@Controller(atRoot('*project_path/-/settings/access_tokens'))
export class ProjectTokenPagesController {
  constructor(private readonly pages: ResourceTokenPages) {}

  /** Lists the tokens, with a form for a new one. */
  @Get()
  @ProjectPage('manage_project_tokens', 'signed_in')
  list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListTokensPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(pageContext, projectTokensPageContext(project, pageContext.viewer), {
      filters,
      paging,
    });
  }

  /** Creates a token and shows its value once. */
  @Post()
  @RateLimit('token_creation')
  @ProjectPage('manage_project_tokens', 'signed_in')
  create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = projectTokensPageContext(project, pageContext.viewer);
    return this.pages.create(pageContext, context, { form, auth, paging });
  }

  /** Revokes a token. */
  @Post(':token_id/revoke')
  @ProjectPage('manage_project_tokens', 'signed_in')
  revoke(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IntegerId('token_id') tokenId: number,
  ): Promise<HttpResponse> {
    return this.pages.revoke(pageContext, projectTokensPageContext(project, pageContext.viewer), {
      tokenId,
      auth,
    });
  }
}

/** Access tokens of a group; for its owners. */
@Controller(atRoot('groups/*group_path/-/settings/access_tokens'))
export class GroupTokenPagesController {
  constructor(private readonly pages: ResourceTokenPages) {}

  /** Lists the tokens, with a form for a new one. */
  @Get()
  @GroupPage('manage_group_tokens', 'signed_in')
  list(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() filters: ListTokensPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(pageContext, groupTokensPageContext(group, pageContext.viewer), {
      filters,
      paging,
    });
  }

  /** Creates a token and shows its value once. */
  @Post()
  @RateLimit('token_creation')
  @GroupPage('manage_group_tokens', 'signed_in')
  create(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = groupTokensPageContext(group, pageContext.viewer);
    return this.pages.create(pageContext, context, { form, auth, paging });
  }

  /** Revokes a token. */
  @Post(':token_id/revoke')
  @GroupPage('manage_group_tokens', 'signed_in')
  revoke(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @IntegerId('token_id') tokenId: number,
  ): Promise<HttpResponse> {
    return this.pages.revoke(pageContext, groupTokensPageContext(group, pageContext.viewer), {
      tokenId,
      auth,
    });
  }
}
