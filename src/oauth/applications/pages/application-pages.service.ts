import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../../../core/audit/audit.service.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { type NewSecret, ApplicationsService } from '../applications.service.js';
import type { ApplicationInput } from '../application-rules.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ApplicationFormPage, ApplicationPage } from './application.page.js';
import { infoOf, pathOf, type Area } from './applications.page.js';
import { given, givenList } from '../../../core/ui/form-input.decorator.js';

/** The owner whose applications are managed, and the pages on which. */
export interface ApplicationsContext {
  area: Area;
  /** null = of the whole instance. */
  ownerId: number | null;
  pageContext: PageContext;
}

type Form = Record<string, unknown>;

/** Shared pages of single applications, for their owners and for administrators. */
@Injectable()
export class ApplicationPages {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly service: ApplicationsService,
  ) {}

  /** Shows the form for a new application. */
  blank(context: ApplicationsContext): HttpResponse {
    return this.newForm(context, BLANK_APPLICATION);
  }

  /** Registers an application and shows its secret, or shows the form again with its errors. */
  async create(context: ApplicationsContext, form: Form, actor: AuditActor): Promise<HttpResponse> {
    const input = inputOf(context, form);
    try {
      const { ownerId } = context;
      return revealed(context, await this.service.create({ ...input, ownerId }, actor));
    } catch (error) {
      return this.newForm(context, input, formErrors(error));
    }
  }

  /** Shows an application. */
  async show(
    { area, ownerId, pageContext }: ApplicationsContext,
    id: number,
  ): Promise<HttpResponse> {
    const found = await this.applications.findOwned(id, ownerId);
    const application = { ...found, ...(await this.applications.findUsage(id)) };
    const { baseUrl: issuer, csrfToken } = pageContext;
    const page = ApplicationPage({ area, application, issuer, csrfToken });
    return pageContext.render(page, infoOf(area, application.name));
  }

  /** Shows the form for an existing application. */
  async edit(context: ApplicationsContext, id: number): Promise<HttpResponse> {
    const application = await this.applications.findOwned(id, context.ownerId);
    const redirectUri = application.redirectUris.join('\n');
    return this.editForm({ ...context, id }, { ...application, redirectUri });
  }

  /** Updates an application, or shows the form again with its errors. */
  async update(
    { id, ...context }: ApplicationsContext & { id: number },
    form: Form,
    actor: AuditActor,
  ): Promise<HttpResponse> {
    const input = inputOf(context, form);
    const { area, ownerId, pageContext } = context;
    try {
      await this.service.update({ id, ownerId }, input, actor);
    } catch (error) {
      return this.editForm({ ...context, id }, input, formErrors(error));
    }
    return pageContext.redirect(pathOf(area, id), { notice: 'Application saved.' });
  }

  /** Renews the secret of an application and shows it. */
  async renew(context: ApplicationsContext, id: number, actor: AuditActor): Promise<HttpResponse> {
    const { ownerId } = context;
    return revealed(context, await this.service.renewSecret({ id, ownerId }, actor));
  }

  /** Deletes an application. */
  async delete(
    { area, ownerId, pageContext }: ApplicationsContext,
    id: number,
    actor: AuditActor,
  ): Promise<HttpResponse> {
    await this.service.delete({ id, ownerId }, actor);
    return pageContext.redirect(pathOf(area), { notice: 'Application deleted.' });
  }

  private newForm(
    { area, pageContext }: ApplicationsContext,
    values: ApplicationInput,
    errors?: FormProblems,
  ): HttpResponse {
    const path = pathOf(area);
    const title = 'New application';
    const page = ApplicationFormPage({
      ...{ area, title, values, csrfToken: pageContext.csrfToken, ...(errors && { errors }) },
      ...{ action: path, cancel: path, submit: 'Create application' },
    });
    return pageContext.render(page, infoOf(area, title), errors === undefined ? 200 : 422);
  }

  private editForm(
    { area, pageContext, id }: ApplicationsContext & { id: number },
    values: ApplicationInput,
    errors?: FormProblems,
  ): HttpResponse {
    const path = pathOf(area, id);
    const title = 'Edit application';
    const page = ApplicationFormPage({
      ...{ area, title, values, csrfToken: pageContext.csrfToken, ...(errors && { errors }) },
      ...{ action: `${path}/edit`, cancel: path, submit: 'Save changes' },
    });
    return pageContext.render(page, infoOf(area, title), errors === undefined ? 200 : 422);
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
function inputOf({ area }: ApplicationsContext, form: Form): ApplicationInput {
  return {
    name: given(form, 'name'),
    redirectUri: given(form, 'redirect_uri'),
    scopes: givenList(form, 'scopes'),
    confidential: given(form, 'confidential') !== 'false',
    trusted: area === 'admin' && given(form, 'trusted') === 'true',
  };
}

function revealed(
  { area, pageContext }: ApplicationsContext,
  { application, secret }: NewSecret,
): HttpResponse {
  return pageContext.redirect(pathOf(area, application.id), {
    secret: { label: 'Secret', value: secret },
  });
}
