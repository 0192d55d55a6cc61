import { Controller, Get, Put } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { SettingsUpdateService } from './settings-update.service.js';
import { presentSettings, UpdateSettingsDto, type SettingsResponse } from './settings.dto.js';

/** Settings of the instance, for administrators. */
@Controller('application/settings')
@Scopes()
@Ability('administrate')
export class SettingsController {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly updates: SettingsUpdateService,
  ) {}

  /** Shows the instance settings. Secrets are never returned, only if they are set. */
  @Get()
  show(): SettingsResponse {
    return presentSettings(this.settings.values);
  }

  /**
   * Updates instance settings, effective in all processes immediately. Omitted settings are
   * unchanged and unknown names are a 400. A new URL clears the secret stored for the old one.
   */
  @Put()
  async update(
    @Input({ refusesUnknown: true }) changes: UpdateSettingsDto,
    @Auth() actor: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<SettingsResponse> {
    return presentSettings(await this.updates.update(changes, actor, preconditions));
  }
}
