import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ReadsPrimary } from '../../../core/sql/replica/reads-primary.decorator.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ApplicationsService } from '../applications.service.js';
import { ApplicationPagesController } from './application-pages.controller.js';
import { ADMIN, AdminApplicationsPage } from './applications.page.js';

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
