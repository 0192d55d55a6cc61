import { Controller, Get, Post, Query } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ErrorTrackingSettings } from '../../settings/error-tracking-settings.service.js';
import { errorSettingsPath } from '../../error-paths.js';
import { ErrorSetUps } from './error-set-ups.service.js';
import {
  StoringFormDto,
  storingValues,
  TrackingFormDto,
  trackingValues,
} from './error-settings-forms.js';
import { ErrorSettingsPage, type RefusedForm } from './error-settings.page.js';

type Form = Record<string, unknown>;

/** Error tracking settings of a project and its setup guides; for its maintainers. */
@Controller(atRoot('*project_path/-/settings/error_tracking'))
export class ErrorSettingsPagesController {
  constructor(
    private readonly setUps: ErrorSetUps,
    private readonly settings: ErrorTrackingSettings,
  ) {}

  /** Shows settings, keys, usage, and what to paste into a program of the kind that is chosen. */
  @Get()
  @ProjectPage('admin_error_tracking', 'signed_in')
  form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query('sdk') sdk: unknown,
  ): Promise<HttpResponse> {
    return this.show(pageContext, project, { refused: null, sdk });
  }

  /** Switches tracking on or off, or shows the form again with what is wrong. */
  @Post()
  @ProjectPage('admin_error_tracking', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() values: Form,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(TrackingFormDto, values);
      await this.settings.save(project, trackingValues(dto), auth);
    } catch (error) {
      const refused = { form: 'tracking', values, errors: trackingErrors(error) } as const;
      return this.show(pageContext, project, { refused, sdk: undefined });
    }
    return pageContext.redirect(errorSettingsPath(project), { notice: 'Error tracking changed.' });
  }

  /** Changes what is stored, or shows the form again with what is wrong. */
  @Post('storing')
  @ProjectPage('admin_error_tracking', 'signed_in')
  async updateStoring(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() values: Form,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(StoringFormDto, values);
      await this.settings.save(project, storingValues(dto), auth);
    } catch (error) {
      const refused = { form: 'storing', values, errors: formErrors(error) } as const;
      return this.show(pageContext, project, { refused, sdk: undefined });
    }
    return pageContext.redirect(errorSettingsPath(project), {
      notice: 'Changed. It applies to events that come from now on.',
    });
  }

  private async show(
    pageContext: PageContext,
    project: ProjectRow,
    shown: { refused: RefusedForm | null; sdk: unknown },
  ): Promise<HttpResponse> {
    const setUp = await this.setUps.of(project.id);
    const page = ErrorSettingsPage({ pageContext, project, setUp, ...shown });
    const info = projectInfo(project, 'Error tracking settings');
    return pageContext.render(page, info, shown.refused === null ? 200 : 422);
  }
}

/** The project that has to be named is the one in the API URL. */
function trackingErrors(error: unknown): FormProblems {
  const { fields, general } = formErrors(error);
  const { project, ...rest } = fields;
  if (project === undefined) return { fields, general };
  const text = 'API URL has to name a project.';
  return { fields: { ...rest, api_url: [...(rest['api_url'] ?? []), text] }, general };
}
