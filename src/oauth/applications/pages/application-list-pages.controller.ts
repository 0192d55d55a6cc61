import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type AuthContext, type Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ApplicationsService } from '../applications.service.js';
import { ApplicationPagesController } from './application-pages.controller.js';
import { ADMIN, AdminApplicationsPage, OwnApplicationsPage, pathOf } from './applications.page.js';

/** Pages of the viewer's own applications and of those that can act for them. */
@ReadsPrimary()
@Controller(atRoot('-/user_settings/applications'))
@Page('signed_in')
export class OwnApplicationPagesController extends ApplicationPagesController {
  protected readonly area = 'account';

  constructor(
    applications: OAuthApplicationsRepository,
    service: ApplicationsService,
    private readonly settings: InstanceSettings,
  ) {
    super(applications, service);
  }

  /** Lists the viewer's own applications, and those that they have authorized. */
  @Get()
  async list(@Context() pageContext: PageContext, @Pages() paging: Paging): Promise<HttpResponse> {
    const { id } = pageContext.viewer as Viewer;
    const applications = await this.applications.list(id, paging);
    const authorized = await this.applications.listAuthorized(id);
    const { csrfToken } = pageContext;
    const mayRegister = this.mayRegister();
    const page = OwnApplicationsPage({ applications, paging, authorized, mayRegister, csrfToken });
    return pageContext.render(page, { title: 'Applications', nav: 'account' });
  }

  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.mayRegister() ? this.blankForm(pageContext) : refused(pageContext);
  }

  @Post()
  @RateLimit('create')
  async create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.mayRegister() ? this.register(pageContext, form, auth) : refused(pageContext);
  }

  protected ownerOf({ viewer }: PageContext): number {
    return (viewer as Viewer).id;
  }

  private mayRegister(): boolean {
    return this.settings.values.user_oauth_applications;
  }
}

function refused(pageContext: PageContext): HttpResponse {
  const alert = 'Only administrators can register applications.';
  return pageContext.redirect('/-/user_settings/profile', { alert });
}

/** Applications that the viewer has authorized. */
@ReadsPrimary()
@Controller(atRoot('oauth/authorized_applications'))
@Page('signed_in')
export class AuthorizedApplicationPagesController {
  constructor(private readonly applications: ApplicationsService) {}

  /** Revokes all that the application can do for the viewer. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.applications.revokeAuthorization(id, pageContext.viewer as Viewer, auth);
    const notice = 'Access revoked.';
    return pageContext.redirect(pathOf('account'), { notice });
  }
}

/** The pages of the applications of the whole instance, for administrators. */
@ReadsPrimary()
@Controller(atRoot('admin/applications'))
@Page('administrate')
export class AdminApplicationPagesController extends ApplicationPagesController {
  protected readonly area = 'admin';

  constructor(applications: OAuthApplicationsRepository, service: ApplicationsService) {
    super(applications, service);
  }

  @Get()
  async list(@Context() pageContext: PageContext, @Pages() paging: Paging): Promise<HttpResponse> {
    const applications = await this.applications.list(null, paging);
    const page = AdminApplicationsPage({ applications, paging });
    return pageContext.render(page, { title: 'Applications', nav: 'admin', crumbs: [ADMIN] });
  }

  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.blankForm(pageContext);
  }

  @Post()
  create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.register(pageContext, form, auth);
  }

  protected ownerOf(): null {
    return null;
  }
}
