import { Controller, Get, Patch, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import { toBoolean, toInteger } from '../../core/params/coerce.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ErrorTrackingSettings } from './error-tracking-settings.service.js';
import { BooleanParam, declare } from '../../core/params/params.decorator.js';
import { MAX_USAGE_DAYS, ErrorUsage, type ErrorUsageResponse } from './error-usage.service.js';
import type { ErrorTrackingSetting } from '../error-tracking-setting.entity.js';
import { projectNameFrom, trackerExternalUrl } from './tracker-url.js';

/** Error tracking settings of a project (API doc, Error tracking settings). */
interface ErrorTrackingSettingsResponse {
  /** True if error tracking is enabled. */
  active: boolean;
  /** Name of the project in the external tracker. @example "Lathe" */
  project_name: string | null;
  /**
   * Web URL of the project in the external tracker.
   * @example "https://tracker.example.com/tools/lathe"
   */
  tracker_external_url: string | null;
  /**
   * API URL of the project in the external tracker.
   * @example "https://tracker.example.com/api/0/projects/tools/lathe"
   */
  api_url: string | null;
  /** True for the built-in backend; false while the instance disables it. */
  integrated: boolean;
}

/** Presents the error tracking settings of a project; `isOffered`: by the instance. */
function presentErrorTrackingSettings(
  { enabled, integrated, apiUrl, projectName }: ErrorTrackingSetting,
  { isOffered }: { isOffered: boolean },
): ErrorTrackingSettingsResponse {
  return {
    active: enabled,
    project_name: projectName ?? (apiUrl === null ? null : projectNameFrom(apiUrl)),
    tracker_external_url: apiUrl === null ? null : trackerExternalUrl(apiUrl),
    api_url: apiUrl,
    integrated: integrated && isOffered,
  };
}

/** Stands for a switch that was named without a value. */
const EMPTY = Symbol('empty parameter');

/** PATCH of the error tracking settings. */
class UpdateErrorTrackingDto {
  /** Enables error tracking with the configured backend. */
  @RequiredSwitch()
  active: boolean;

  /** True for the built-in backend, false for an external tracker; true by default. */
  @BooleanParam()
  integrated?: boolean | null;
}

/** PUT of the error tracking settings: both are required. */
class ReplaceErrorTrackingDto {
  /** Enables error tracking with the configured backend. */
  @RequiredSwitch()
  active: boolean;

  /** True for the built-in backend, false for an external tracker. */
  @RequiredSwitch()
  integrated: boolean;
}

/** Unlike `BooleanParam` it distinguishes an empty value from a missing one. */
function RequiredSwitch(): PropertyDecorator {
  return declare(
    { kind: 'boolean', required: true },
    (value) => (value === '' || value === null ? EMPTY : toBoolean(value)),
    (value) => (value === EMPTY ? 'is empty' : null),
  );
}

const USUAL_DAYS = 30;

/** Time span of the usage. */
class ListUsageDto {
  /** Number of days (UTC), including today; 1 to 90, 30 by default. */
  @declare({ kind: 'integer' }, toInteger, checkDays)
  days?: number | null;
}

function checkDays(value: unknown): string | null {
  const days = value as number;
  return days < 1 || days > MAX_USAGE_DAYS ? 'has a value not allowed' : null;
}

/** Error tracking settings of a project, and its usage; for its maintainers. */
@Controller('projects/:id/error_tracking')
@Scopes()
@ProjectAbility('admin_error_tracking', 'signed_in')
export class ErrorTrackingSettingsController {
  constructor(
    private readonly settings: ErrorTrackingSettings,
    private readonly instance: InstanceSettings,
    private readonly usage: ErrorUsage,
  ) {}

  /** Shows the error tracking settings of a project. */
  @Get('settings')
  async show(@CurrentProject() { id }: ProjectRow): Promise<ErrorTrackingSettingsResponse> {
    const setting = await this.settings.read(id);
    if (setting === null) throw new NotFoundError('Error Tracking Setting');
    return presentErrorTrackingSettings(setting, this.offer());
  }

  /** Enables or disables error tracking of a project; creates the settings if needed. */
  @Patch('settings')
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
  @Put('settings')
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

  /** Lists the usage of error tracking by day, outcome, category and reason. */
  @Get('usage')
  listUsage(
    @CurrentProject() project: ProjectRow,
    @Input() { days }: ListUsageDto,
  ): Promise<ErrorUsageResponse[]> {
    return this.usage.lastDays(project.id, days ?? USUAL_DAYS);
  }

  /** Returns the instance setting of the built-in backend. */
  private offer(): { isOffered: boolean } {
    return { isOffered: this.instance.values.error_tracking_integrated_enabled };
  }
}
