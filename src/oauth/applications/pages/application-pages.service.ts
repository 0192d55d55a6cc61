import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../../../core/audit/audit.service.js';
import type { Answer } from '../../../core/http/answer.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { PageShell } from '../../../core/ui/shell.js';
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
  shell: PageShell;
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
  blank(desk: Desk): Answer {
    return this.newForm(desk, BLANK_APPLICATION);
  }

  /** Registers an application and shows its secret, or the form again with what is wrong. */
  async create(desk: Desk, form: Form, actor: AuditActor): Promise<Answer> {
    const input = inputOf(desk, form);
    try {
      const { ownerId } = desk;
      return revealed(desk, await this.service.create({ ...input, ownerId }, actor));
    } catch (error) {
      return this.newForm(desk, input, formErrors(error));
    }
  }

  /** One application. */
  async show({ place, ownerId, shell }: Desk, id: number): Promise<Answer> {
    const application = await this.applications.findOwned(id, ownerId);
    const page = ApplicationPage({ place, application, csrfToken: shell.csrfToken });
    return shell.page(page, infoOf(place, application.name));
  }

  /** The form for a known application. */
  async edit(desk: Desk, id: number): Promise<Answer> {
    const application = await this.applications.findOwned(id, desk.ownerId);
    return this.editForm({ ...desk, id }, applicationValuesOf(application));
  }

  /** Changes an application, or shows the form again with what is wrong. */
  async update(
    { id, ...desk }: Desk & { id: number },
    form: Form,
    actor: AuditActor,
  ): Promise<Answer> {
    const input = inputOf(desk, form);
    const { place, ownerId, shell } = desk;
    try {
      await this.service.update({ id, ownerId }, input, actor);
    } catch (error) {
      return this.editForm({ ...desk, id }, input, formErrors(error));
    }
    return shell.redirect(pathOf(place, id), { notice: 'The application was changed.' });
  }

  /** Gives an application another secret and shows it. */
  async renew(desk: Desk, id: number, actor: AuditActor): Promise<Answer> {
    const { ownerId } = desk;
    return revealed(desk, await this.service.renewSecret({ id, ownerId }, actor));
  }

  /** Deletes an application. */
  async delete({ place, ownerId, shell }: Desk, id: number, actor: AuditActor): Promise<Answer> {
    await this.service.delete({ id, ownerId }, actor);
    return shell.redirect(pathOf(place), { notice: 'The application was deleted.' });
  }

  private newForm({ place, shell }: Desk, values: ApplicationInput, errors?: FormProblems): Answer {
    const path = pathOf(place);
    const title = 'New application';
    const page = ApplicationFormPage({
      ...{ place, title, values, csrfToken: shell.csrfToken, ...(errors && { errors }) },
      ...{ action: path, cancel: path, submit: 'Register application' },
    });
    return shell.page(page, infoOf(place, title), errors === undefined ? 200 : 422);
  }

  private editForm(
    { place, shell, id }: Desk & { id: number },
    values: ApplicationInput,
    errors?: FormProblems,
  ): Answer {
    const path = pathOf(place, id);
    const title = 'Edit application';
    const page = ApplicationFormPage({
      ...{ place, title, values, csrfToken: shell.csrfToken, ...(errors && { errors }) },
      ...{ action: `${path}/edit`, cancel: path, submit: 'Save changes' },
    });
    return shell.page(page, infoOf(place, title), errors === undefined ? 200 : 422);
  }
}

/** Only administrators can mark applications as trusted. */
function inputOf({ place }: Desk, form: Form): ApplicationInput {
  return applicationInputOf(form, { mayTrust: place === 'admin' });
}

function revealed({ place, shell }: Desk, { application, secret }: NewSecret): Answer {
  return shell.redirect(pathOf(place, application.id), {
    secret: { label: 'Secret', value: secret },
  });
}
