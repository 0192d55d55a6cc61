import { Controller, Get, Post, Query } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, FormInput, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { errorSettingsPath, projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { ClientKeysRepository } from '../../client-keys/client-keys.repository.js';
import { ErrorUsage } from '../../settings/error-usage.service.js';
import { ErrorTrackingSettings } from '../../settings/error-tracking-settings.service.js';
import { errorPath } from '../../error-paths.js';
import {
  StoringFormDto,
  storingValues,
  TrackingFormDto,
  trackingValues,
} from './error-settings-forms.js';
import {
  ErrorSettingsPage,
  type ErrorTrackingSetup,
  type RefusedForm,
} from './error-settings.page.js';
import { ClientKeys } from '../../client-keys/client-keys.service.js';
import { TestEvents } from './test-events.service.js';

type Form = Record<string, unknown>;

const USAGE_DAYS = 30;

/** Error tracking settings of a project and its setup guides; for its maintainers. */
@Controller(atRoot('*project_path/-/settings/error_tracking'))
export class ErrorSettingsPagesController {
  constructor(
    private readonly settings: ErrorTrackingSettings,
    private readonly keys: ClientKeys,
    private readonly tests: TestEvents,
    private readonly keysRepository: ClientKeysRepository,
    private readonly usage: ErrorUsage,
    private readonly instance: InstanceSettings,
  ) {}

  /** Shows settings, keys, usage, and the selected setup guide. */
  @Get()
  @ProjectPage('admin_error_tracking', 'signed_in')
  form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query('sdk') sdk: unknown,
  ): Promise<HttpResponse> {
    return this.show(pageContext, project, { refused: null, sdk });
  }

  /** Enables or disables tracking, or shows the form again with its errors. */
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
    return pageContext.redirect(errorSettingsPath(project), {
      notice: 'Error tracking settings saved.',
    });
  }

  /** Updates scrubbing and retention, or shows the form again with its errors. */
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
      notice: 'Settings saved. They apply to new events.',
    });
  }

  /** Creates a key; shows an error when there are too many. */
  @Post('keys')
  @ProjectPage('admin_error_tracking', 'signed_in')
  async createKey(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    try {
      await this.keys.create(project, auth);
    } catch (error) {
      const alert = formErrors(error).general.join(' ');
      return pageContext.redirect(errorSettingsPath(project), { alert });
    }
    return pageContext.redirect(errorSettingsPath(project), { notice: 'Key created.' });
  }

  /** Deletes a key; programs that use it are refused from then on. */
  @Post('keys/:id/delete')
  @ProjectPage('admin_error_tracking', 'signed_in')
  async deleteKey(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.keys.delete({ projectId: project.id, id }, auth);
    return pageContext.redirect(errorSettingsPath(project), { notice: 'Key deleted.' });
  }

  /** Sends an event and leads to its error. */
  @Post('test')
  @ProjectPage('admin_error_tracking', 'signed_in')
  async sendTestEvent(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    const id = await this.tests.send(project);
    if (id === null) {
      return pageContext.redirect(errorSettingsPath(project), {
        alert: project.archived
          ? 'Archived projects accept no events.'
          : 'Enable error tracking with the built-in backend first.',
      });
    }
    return pageContext.redirect(errorPath(project, id), {
      notice: 'Test event received.',
    });
  }

  private async show(
    pageContext: PageContext,
    project: ProjectRow,
    shown: { refused: RefusedForm | null; sdk: unknown },
  ): Promise<HttpResponse> {
    const setup = await this.setupOf(project.id);
    const page = ErrorSettingsPage({ pageContext, project, setup, ...shown });
    const info = projectInfo(project, 'Error tracking settings');
    return pageContext.render(page, info, shown.refused === null ? 200 : 422);
  }

  private async setupOf(projectId: number): Promise<ErrorTrackingSetup> {
    const [settings, keys, rows] = await Promise.all([
      this.settings.read(projectId),
      this.keysRepository.list(projectId),
      this.usage.lastDays(projectId, USAGE_DAYS),
    ]);
    const { values } = this.instance;
    return {
      settings,
      keys,
      usage: { days: this.usage.days(USAGE_DAYS), rows },
      isOffered: values.error_tracking_integrated_enabled,
      usualDays: values.error_tracking_retention_days,
    };
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
