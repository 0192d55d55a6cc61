import { Controller, Get, Post } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { formErrors, FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { alertSettingsPath } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { CreateIntegrationDto, UpdateIntegrationDto } from '../../integrations/integration.dto.js';
import {
  AlertIntegrationsRepository,
  type FoundIntegration,
} from '../../alert-integrations.repository.js';
import { presentIntegration } from '../../integrations/integration.presenter.js';
import { IntegrationsService } from '../../integrations/integrations.service.js';
import { integrationsPath } from '../alert-paths.js';
import {
  integrationInfo,
  IntegrationPage,
  NewIntegrationPage,
  valuesOfIntegration,
  type FilledForm,
} from './integration.page.js';

type Form = Record<string, unknown>;

/** Creates, updates and deletes the integrations of a project; for its maintainers. */
@Controller(atRoot('*project_path/-/settings/alert_integrations'))
export class IntegrationPagesController {
  constructor(
    private readonly repository: AlertIntegrationsRepository,
    private readonly integrations: IntegrationsService,
  ) {}

  /** Shows the form for a new integration. */
  @Get('new')
  @ProjectPage('admin_alert_integration', 'signed_in')
  newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): HttpResponse {
    return showNew(pageContext, project, { values: { active: 'true' }, errors: null });
  }

  /** Creates an integration and redirects to its key. */
  @Post()
  @ProjectPage('admin_alert_integration', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(CreateIntegrationDto, withoutHidden(form));
      const { id } = await this.integrations.create(project, dto, auth);
      return pageContext.redirect(`${integrationsPath(project)}/${id}`, {
        notice: 'Integration created.',
      });
    } catch (error) {
      return showNew(pageContext, project, { values: form, errors: formErrors(error) });
    }
  }

  /** Shows URL, key and settings of an integration. */
  @Get(':id')
  @ProjectPage('admin_alert_integration', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const integration = await this.repository.get(project.id, id);
    const values = valuesOfIntegration(integration);
    return showOne(pageContext, { project, integration }, { values, errors: null });
  }

  /** Changes an integration, or shows its form again with what is wrong. */
  @Post(':id')
  @ProjectPage('admin_alert_integration', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const integration = await this.repository.get(project.id, id);
    try {
      const dto = await parseInput(UpdateIntegrationDto, form);
      await this.integrations.update(chosen(project, id), dto, auth);
    } catch (error) {
      return showOne(
        pageContext,
        { project, integration },
        { values: form, errors: formErrors(error) },
      );
    }
    return pageContext.redirect(`${integrationsPath(project)}/${id}`, {
      notice: 'Integration updated.',
    });
  }

  /** Resets the key of an integration. */
  @Post(':id/reset')
  @ProjectPage('admin_alert_integration', 'signed_in')
  async reset(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.integrations.resetToken({ projectId: project.id, id }, auth);
    return pageContext.redirect(`${integrationsPath(project)}/${id}`, {
      notice: 'Key reset. The previous key no longer works.',
    });
  }

  /** Deletes an integration; its alerts are kept. */
  @Post(':id/delete')
  @ProjectPage('admin_alert_integration', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.integrations.delete(chosen(project, id), auth);
    return pageContext.redirect(alertSettingsPath(project), { notice: 'Integration deleted.' });
  }
}

function chosen(project: ProjectRow, id: number) {
  return { projectId: project.id, id, preconditions: NO_PRECONDITIONS };
}

/** An HTTP endpoint has no API URL: the form hides the field and still sends it. */
function withoutHidden(form: Form): Form {
  return form['type'] === 'HTTP' ? { ...form, api_url: undefined } : form;
}

function showNew(pageContext: PageContext, project: ProjectRow, filled: FilledForm): HttpResponse {
  const info = integrationInfo({ project, viewer: pageContext.viewer }, 'New integration');
  const status = filled.errors === null ? 200 : 422;
  return pageContext.render(NewIntegrationPage({ pageContext, project, ...filled }), info, status);
}

function showOne(
  pageContext: PageContext,
  { project, integration }: { project: ProjectRow; integration: FoundIntegration },
  filled: FilledForm,
): HttpResponse {
  const { url, token } = presentIntegration(integration, { project, baseUrl: pageContext.baseUrl });
  const webhook = url === null || token === null ? null : { url, token };
  const page = IntegrationPage({ pageContext, project, integration, webhook, ...filled });
  const info = integrationInfo({ project, viewer: pageContext.viewer }, integration.name);
  return pageContext.render(page, info, filled.errors === null ? 200 : 422);
}
