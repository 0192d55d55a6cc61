import { Controller, Get, Post } from '@nestjs/common';
import { Auth, type AuthContext, type Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  ContainerPage,
  CurrentContainer,
  ofContainer,
  type PageContainer,
} from '../../projects/pages/container-page.guard.js';
import { ListTokensPageDto } from '../resource-token.dto.js';
import { groupResource, projectResource } from '../token-resource.js';
import type { TokensPageContext } from './new-token.js';
import { ResourceTokenPages } from './resource-token-pages.service.js';

const MANAGE = { project: 'manage_project_tokens', group: 'manage_group_tokens' } as const;

/** Access tokens of a project for its maintainers, of a group for its owners. */
@ReadsPrimary()
@Controller(ofContainer('settings/access_tokens'))
export class ResourceTokenPagesController {
  constructor(private readonly pages: ResourceTokenPages) {}

  /** Lists the tokens, with a form for a new one. */
  @Get()
  @ContainerPage(MANAGE, 'signed_in')
  list(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Input() filters: ListTokensPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = contextOf(container, pageContext.viewer);
    return this.pages.list(pageContext, context, { filters, paging });
  }

  /** Creates a token and shows its value once. */
  @Post()
  @RateLimit('token_creation')
  @ContainerPage(MANAGE, 'signed_in')
  create(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = contextOf(container, pageContext.viewer);
    return this.pages.create(pageContext, context, { form, auth, paging });
  }

  /** Replaces a token and shows the new value once. */
  @Post(':token_id/rotate')
  @RateLimit('token_creation')
  @ContainerPage(MANAGE, 'signed_in')
  rotate(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @IntegerId('token_id') tokenId: number,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const context = contextOf(container, pageContext.viewer);
    return this.pages.rotate(pageContext, context, { tokenId, form, auth });
  }

  @Post(':token_id/revoke')
  @ContainerPage(MANAGE, 'signed_in')
  revoke(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: AuthContext,
    @IntegerId('token_id') tokenId: number,
  ): Promise<HttpResponse> {
    const context = contextOf(container, pageContext.viewer);
    return this.pages.revoke(pageContext, context, { tokenId, auth });
  }
}

/** The project or group as the pages of access tokens need it. */
function contextOf(container: PageContainer, viewer: Viewer | null): TokensPageContext {
  return {
    resource:
      container.kind === 'group'
        ? groupResource(container.group, viewer)
        : projectResource(container.project, viewer),
    path: `${container.path}/-/settings/access_tokens`,
    info: container.info('Access tokens'),
  };
}
