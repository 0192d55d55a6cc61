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
import { ADMIN } from './application-frame.js';
import { ApplicationPages, type Desk } from './application-pages.service.js';
import { AdminApplicationsPage } from './applications.page.js';

/** The pages of the applications of the whole instance, for administrators. */
@Controller(atRoot('admin/applications'))
@Page('administrate')
export class AdminApplicationsController {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly pages: ApplicationPages,
  ) {}

  /** Lists them. */
  @Get()
  async list(@Context() pageContext: PageContext, @Pages() paging: Paging): Promise<HttpResponse> {
    const applications = await this.applications.list(null, paging);
    const page = AdminApplicationsPage({ applications, paging });
    return pageContext.render(page, { title: 'Applications', nav: 'admin', crumbs: [ADMIN] });
  }

  /** Shows the form for a new one. */
  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.pages.blank(desk(pageContext));
  }

  /** Registers one. */
  @Post()
  create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.create(desk(pageContext), form, auth);
  }

  /** Shows one. */
  @Get(':id')
  show(@Context() pageContext: PageContext, @IntegerId('id') id: number): Promise<HttpResponse> {
    return this.pages.show(desk(pageContext), id);
  }

  /** Shows the form for a known one. */
  @Get(':id/edit')
  edit(@Context() pageContext: PageContext, @IntegerId('id') id: number): Promise<HttpResponse> {
    return this.pages.edit(desk(pageContext), id);
  }

  /** Changes one. */
  @Post(':id/edit')
  update(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.update({ ...desk(pageContext), id }, form, auth);
  }

  /** Gives one another secret. */
  @Post(':id/renew')
  renew(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.renew(desk(pageContext), id, auth);
  }

  /** Deletes one. */
  @Post(':id/delete')
  delete(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.pages.delete(desk(pageContext), id, auth);
  }
}

function desk(pageContext: PageContext): Desk {
  return { place: 'admin', ownerId: null, pageContext };
}
