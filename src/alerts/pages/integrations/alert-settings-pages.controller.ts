import { Controller, Get, Post } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, FormInput, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { alertSettingsPath, projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { presentAlertSettings } from '../../integrations/alert-settings.controller.js';
import { AlertSettingsService } from '../../integrations/alert-settings.service.js';
import { UpdateAlertSettingsDto } from '../../integrations/alert-settings.dto.js';
import { AlertSettingsPage } from './alert-settings.page.js';
import { AlertIntegrationsRepository } from '../../alert-integrations.repository.js';

/** Alert settings of a project and its integrations; for its maintainers. */
@Controller(atRoot('*project_path/-/settings/alerts'))
export class AlertSettingsPagesController {
  constructor(
    private readonly settings: AlertSettingsService,
    private readonly integrations: AlertIntegrationsRepository,
  ) {}

  /** Shows integrations and settings. */
  @Get()
  @ProjectPage('admin_alert_integration', 'signed_in')
  async form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    const values = { ...presentAlertSettings(await this.settings.get(project.id)) };
    return this.show(pageContext, project, { values, errors: null });
  }

  /** Updates the settings, or shows the form again with its errors. */
  @Post()
  @ProjectPage('admin_alert_integration', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(UpdateAlertSettingsDto, form);
      await this.settings.update(project, dto, auth);
    } catch (error) {
      return this.show(pageContext, project, { values: form, errors: formErrors(error) });
    }
    return pageContext.redirect(alertSettingsPath(project), { notice: 'Alert settings saved.' });
  }

  private async show(
    pageContext: PageContext,
    project: ProjectRow,
    filled: { values: Record<string, unknown>; errors: FormProblems | null },
  ): Promise<HttpResponse> {
    const integrations = await this.integrations.listWithLastDelivery(project.id);
    const page = AlertSettingsPage({ pageContext, project, integrations, ...filled });
    const info = projectInfo(project, 'Alert settings');
    return pageContext.render(page, info, filled.errors === null ? 200 : 422);
  }
}
