import { Controller, Get, Patch, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ReplaceErrorTrackingDto, UpdateErrorTrackingDto } from './error-tracking-settings.dto.js';
import {
  presentErrorTrackingSettings,
  type ErrorTrackingSettingsResponse,
} from './error-tracking-settings.presenter.js';
import { ErrorTrackingSettings } from './error-tracking-settings.service.js';

/** Error tracking settings of a project; for its maintainers. */
@Controller('projects/:id/error_tracking/settings')
@Scopes()
@ProjectAbility('admin_error_tracking', 'signed_in')
export class ErrorTrackingSettingsController {
  constructor(
    private readonly settings: ErrorTrackingSettings,
    private readonly instance: InstanceSettings,
  ) {}

  /** Shows the error tracking settings of a project. */
  @Get()
  async show(@CurrentProject() { id }: ProjectRow): Promise<ErrorTrackingSettingsResponse> {
    const setting = await this.settings.read(id);
    if (setting === null) throw new NotFoundError('Error Tracking Setting');
    return presentErrorTrackingSettings(setting, this.offer());
  }

  /** Enables or disables error tracking of a project; creates the settings if needed. */
  @Patch()
  async update(
    @CurrentProject() { id }: ProjectRow,
    @Input() { active: enabled, integrated }: UpdateErrorTrackingDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorTrackingSettingsResponse> {
    const values = { enabled, ...(integrated != null && { integrated }) };
    const setting = await this.settings.save({ id, preconditions }, values, auth);
    return presentErrorTrackingSettings(setting, this.offer());
  }

  /**
   * Enables or disables error tracking and chooses the backend; 404 while the instance disables the
   * built-in one.
   */
  @Put()
  async replace(
    @CurrentProject() { id }: ProjectRow,
    @Input() { active: enabled, integrated }: ReplaceErrorTrackingDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorTrackingSettingsResponse> {
    if (!this.offer().isOffered) throw new ApiError(404, { message: '404 Not Found' });
    const values = { enabled, integrated };
    const setting = await this.settings.save({ id, preconditions }, values, auth);
    return presentErrorTrackingSettings(setting, this.offer());
  }

  /** Returns the instance setting of the built-in backend. */
  private offer(): { isOffered: boolean } {
    return { isOffered: this.instance.values.error_tracking_integrated_enabled };
  }
}
