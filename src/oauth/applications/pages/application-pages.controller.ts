import { Get, Post } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { IntegerId } from '../../../core/params/ids.js';
import {
  formErrors,
  FormInput,
  given,
  givenList,
  type FormProblems,
} from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import type { ApplicationInput } from '../application-rules.js';
import type { ApplicationsService, NewSecret } from '../applications.service.js';
import {
  ApplicationFormPage,
  ApplicationPage,
  type ApplicationFormPageProps,
} from './application.page.js';
import { infoOf, pathOf, type Area } from './applications.page.js';

type Form = Record<string, unknown>;

/**
 * Pages of single applications. Owners and administrators have a controller each, with their list
 * and the form for a new one.
 */
export abstract class ApplicationPagesController {
  protected abstract readonly area: Area;

  constructor(
    protected readonly applications: OAuthApplicationsRepository,
    protected readonly service: ApplicationsService,
  ) {}

  /** Owner of the applications; null = the whole instance. */
  protected abstract ownerOf(pageContext: PageContext): number | null;

  protected blankForm(pageContext: PageContext): HttpResponse {
    return this.newForm(pageContext, BLANK_APPLICATION);
  }

  /** Registers an application and shows its secret, or shows the form again with its errors. */
  protected async register(
    pageContext: PageContext,
    form: Form,
    auth: AuthContext,
  ): Promise<HttpResponse> {
    const input = inputOf(this.area, form);
    try {
      const ownerId = this.ownerOf(pageContext);
      return this.reveal(pageContext, await this.service.create({ ...input, ownerId }, auth));
    } catch (error) {
      return this.newForm(pageContext, input, formErrors(error));
    }
  }

  @Get(':id')
  async show(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const { area } = this;
    const found = await this.applications.findOwned(id, this.ownerOf(pageContext));
    const application = { ...found, ...(await this.applications.findUsage(id)) };
    const { baseUrl: issuer, csrfToken } = pageContext;
    const page = ApplicationPage({ area, application, issuer, csrfToken });
    return pageContext.render(page, infoOf(area, application.name));
  }

  @Get(':id/edit')
  async edit(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const application = await this.applications.findOwned(id, this.ownerOf(pageContext));
    const redirectUri = application.redirectUris.join('\n');
    return this.editForm(pageContext, id, { values: { ...application, redirectUri } });
  }

  @Post(':id/edit')
  async update(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @FormInput() form: Form,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const values = inputOf(this.area, form);
    try {
      await this.service.update({ id, ownerId: this.ownerOf(pageContext) }, values, auth);
    } catch (error) {
      return this.editForm(pageContext, id, { values, errors: formErrors(error) });
    }
    return pageContext.redirect(pathOf(this.area, id), { notice: 'Application saved.' });
  }

  /** Renews the secret of an application and shows it. */
  @Post(':id/renew')
  async renew(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const ownerId = this.ownerOf(pageContext);
    return this.reveal(pageContext, await this.service.renewSecret({ id, ownerId }, auth));
  }

  @Post(':id/delete')
  async delete(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.service.delete({ id, ownerId: this.ownerOf(pageContext) }, auth);
    return pageContext.redirect(pathOf(this.area), { notice: 'Application deleted.' });
  }

  private newForm(
    pageContext: PageContext,
    values: ApplicationInput,
    errors?: FormProblems,
  ): HttpResponse {
    const path = pathOf(this.area);
    const form = { title: 'New application', action: path, cancel: path };
    return this.showForm(pageContext, { ...form, submit: 'Create application', values, errors });
  }

  private editForm(
    pageContext: PageContext,
    id: number,
    filled: { values: ApplicationInput; errors?: FormProblems },
  ): HttpResponse {
    const path = pathOf(this.area, id);
    const form = { title: 'Edit application', action: `${path}/edit`, cancel: path };
    return this.showForm(pageContext, { ...form, submit: 'Save changes', ...filled });
  }

  private showForm(
    pageContext: PageContext,
    form: Omit<ApplicationFormPageProps, 'area' | 'csrfToken'>,
  ): HttpResponse {
    const { area } = this;
    const page = ApplicationFormPage({ area, csrfToken: pageContext.csrfToken, ...form });
    const status = form.errors === undefined ? 200 : 422;
    return pageContext.render(page, infoOf(area, form.title), status);
  }

  private reveal(pageContext: PageContext, { application, secret }: NewSecret): HttpResponse {
    const address = pathOf(this.area, application.id);
    return pageContext.redirect(address, { secret: { label: 'Secret', value: secret } });
  }
}

const BLANK_APPLICATION: ApplicationInput = {
  name: '',
  redirectUri: '',
  // The scopes of sign-in with OpenID Connect.
  scopes: ['openid', 'profile', 'email'],
  confidential: true,
  trusted: false,
};

/** Reads the form without checking it; only administrators can mark applications as trusted. */
function inputOf(area: Area, form: Form): ApplicationInput {
  return {
    name: given(form, 'name'),
    redirectUri: given(form, 'redirect_uri'),
    scopes: givenList(form, 'scopes'),
    confidential: given(form, 'confidential') !== 'false',
    trusted: area === 'admin' && given(form, 'trusted') === 'true',
  };
}
