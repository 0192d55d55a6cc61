import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../../../core/audit/audit.service.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { NewSecret } from '../application-details.js';
import type { ApplicationInput } from '../application-rules.js';
import { OAuthApplicationsRepository } from '../../oauth-applications.repository.js';
import { ApplicationsService } from '../applications.service.js';
import { applicationInputOf, applicationValuesOf, BLANK_APPLICATION } from './application-form.js';
import { ApplicationFormPage } from './application-form.page.js';
import { infoOf, pathOf, type Place } from './application-frame.js';
import { ApplicationPage } from './application.page.js';

/** In whose name applications are managed. */
export interface Desk {
  place: Place;
  /** null = of the whole instance. */
  ownerId: number | null;
  pageContext: PageContext;
}

type Form = Record<string, unknown>;

/** The pages of single applications, which people and administrators have alike. */
@Injectable()
export class ApplicationPages {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly service: ApplicationsService,
  ) {}

  /** The form for a new application. */
  blank(desk: Desk): HttpResponse {
    return this.newForm(desk, BLANK_APPLICATION);
  }

  /** Registers an application and shows its secret, or the form again with what is wrong. */
  async create(desk: Desk, form: Form, actor: AuditActor): Promise<HttpResponse> {
    const input = inputOf(desk, form);
    try {
      const { ownerId } = desk;
      return revealed(desk, await this.service.create({ ...input, ownerId }, actor));
    } catch (error) {
      return this.newForm(desk, input, formErrors(error));
    }
  }

  /** One application. */
  async show({ place, ownerId, pageContext }: Desk, id: number): Promise<HttpResponse> {
    const application = await this.applications.findOwned(id, ownerId);
    const page = ApplicationPage({ place, application, csrfToken: pageContext.csrfToken });
    return pageContext.render(page, infoOf(place, application.name));
  }

  /** The form for a known application. */
  async edit(desk: Desk, id: number): Promise<HttpResponse> {
    const application = await this.applications.findOwned(id, desk.ownerId);
    return this.editForm({ ...desk, id }, applicationValuesOf(application));
  }

  /** Changes an application, or shows the form again with what is wrong. */
  async update(
    { id, ...desk }: Desk & { id: number },
    form: Form,
    actor: AuditActor,
  ): Promise<HttpResponse> {
    const input = inputOf(desk, form);
    const { place, ownerId, pageContext } = desk;
    try {
      await this.service.update({ id, ownerId }, input, actor);
    } catch (error) {
      return this.editForm({ ...desk, id }, input, formErrors(error));
    }
    return pageContext.redirect(pathOf(place, id), { notice: 'The application was changed.' });
  }

  /** Gives an application another secret and shows it. */
  async renew(desk: Desk, id: number, actor: AuditActor): Promise<HttpResponse> {
    const { ownerId } = desk;
    return revealed(desk, await this.service.renewSecret({ id, ownerId }, actor));
  }

  /** Deletes an application. */
  async delete(
    { place, ownerId, pageContext }: Desk,
    id: number,
    actor: AuditActor,
  ): Promise<HttpResponse> {
    await this.service.delete({ id, ownerId }, actor);
    return pageContext.redirect(pathOf(place), { notice: 'The application was deleted.' });
  }

  private newForm(
    { place, pageContext }: Desk,
    values: ApplicationInput,
    errors?: FormProblems,
  ): HttpResponse {
    const path = pathOf(place);
    const title = 'New application';
    const page = ApplicationFormPage({
      ...{ place, title, values, csrfToken: pageContext.csrfToken, ...(errors && { errors }) },
      ...{ action: path, cancel: path, submit: 'Register application' },
    });
    return pageContext.render(page, infoOf(place, title), errors === undefined ? 200 : 422);
  }

  private editForm(
    { place, pageContext, id }: Desk & { id: number },
    values: ApplicationInput,
    errors?: FormProblems,
  ): HttpResponse {
    const path = pathOf(place, id);
    const title = 'Edit application';
    const page = ApplicationFormPage({
      ...{ place, title, values, csrfToken: pageContext.csrfToken, ...(errors && { errors }) },
      ...{ action: `${path}/edit`, cancel: path, submit: 'Save changes' },
    });
    return pageContext.render(page, infoOf(place, title), errors === undefined ? 200 : 422);
  }
}

/** Only administrators can mark applications as trusted. */
function inputOf({ place }: Desk, form: Form): ApplicationInput {
  return applicationInputOf(form, { mayTrust: place === 'admin' });
}

function revealed({ place, pageContext }: Desk, { application, secret }: NewSecret): HttpResponse {
  return pageContext.redirect(pathOf(place, application.id), {
    secret: { label: 'Secret', value: secret },
  });
}
