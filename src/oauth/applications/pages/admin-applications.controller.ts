import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ADMIN, AdminApplicationsPage } from './applications.page.js';
import { ApplicationPages, type ApplicationsContext } from './application-pages.service.js';

/** The pages of the applications of the whole instance, for administrators. */
@Controller(atRoot('admin/applications'))
@Page('administrate')
export class AdminApplicationsController {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly pages: ApplicationPages,
  ) {}

  /** Lists the applications of the instance. */
  @Get()
  async list(@Context() pageContext: PageContext, @Pages() paging: Paging): Promise<HttpResponse> {
    const applications = await this.applications.list(null, paging);
    const page = AdminApplicationsPage({ applications, paging });
    return pageContext.render(page, { title: 'Applications', nav: 'admin', crumbs: [ADMIN] });
  }

  /** Shows the form for a new application. */
  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.pages.blank(contextOf(pageContext));
  }

  /** Registers an application. */
  @Post()
  create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.create(contextOf(pageContext), form, auth);
  }

  /** Shows an application. */
  @Get(':id')
  show(@Context() pageContext: PageContext, @IntegerId('id') id: number): Promise<HttpResponse> {
    return this.pages.show(contextOf(pageContext), id);
  }

  /** Shows the form for an existing application. */
  @Get(':id/edit')
  edit(@Context() pageContext: PageContext, @IntegerId('id') id: number): Promise<HttpResponse> {
    return this.pages.edit(contextOf(pageContext), id);
  }

  /** Updates an application. */
  @Post(':id/edit')
  update(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.update({ ...contextOf(pageContext), id }, form, auth);
  }

  /** Renews the secret of an application. */
  @Post(':id/renew')
  renew(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.renew(contextOf(pageContext), id, auth);
  }

  /** Deletes an application. */
  @Post(':id/delete')
  delete(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.delete(contextOf(pageContext), id, auth);
  }
}

function contextOf(pageContext: PageContext): ApplicationsContext {
  return { area: 'admin', ownerId: null, pageContext };
}
