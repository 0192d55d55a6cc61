import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ApplicationPages, type Desk } from './application-pages.service.js';
import { OwnApplicationsPage } from './applications.page.js';

/** The pages of one's own applications, and of what one lets others do. */
@Controller(atRoot('-/user_settings/applications'))
@Page('signed_in')
export class OwnApplicationsController {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly pages: ApplicationPages,
    private readonly settings: InstanceSettings,
  ) {}

  /** Lists one's own, and those that one has authorized. */
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

  /** Shows the form for a new one. */
  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.mayRegister() ? this.pages.blank(desk(pageContext)) : refused(pageContext);
  }

  /** Registers one. */
  @Post()
  @RateLimit('create')
  async create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    return this.mayRegister()
      ? this.pages.create(desk(pageContext), form, auth)
      : refused(pageContext);
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

  private mayRegister(): boolean {
    return this.settings.values.user_oauth_applications;
  }
}

function desk(pageContext: PageContext): Desk {
  return { place: 'account', ownerId: (pageContext.viewer as Viewer).id, pageContext };
}

function refused(pageContext: PageContext): HttpResponse {
  const alert = 'Only administrators register applications here.';
  return pageContext.redirect('/-/user_settings/profile', { alert });
}
