import { Injectable } from '@nestjs/common';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { ErrorTrackingSettings } from '../../settings/error-tracking-settings.service.js';
import { trackerExternalUrl } from '../../settings/tracker-url.js';

/** State of a project's error tracking, with a link to the external tracker. */
export type TrackingState =
  { kind: 'collecting' } | { kind: 'off' } | { kind: 'external'; url: string | null };

/** Reads where the errors of projects are. */
@Injectable()
export class TrackingStates {
  constructor(
    private readonly settings: ErrorTrackingSettings,
    private readonly instance: InstanceSettings,
  ) {}

  /** Off without settings, or while the instance disables the built-in backend. */
  async of(projectId: number): Promise<TrackingState> {
    const setting = await this.settings.read(projectId);
    if (setting === null || !setting.enabled) return { kind: 'off' };
    if (!setting.integrated) {
      const { apiUrl } = setting;
      return { kind: 'external', url: apiUrl === null ? null : trackerExternalUrl(apiUrl) };
    }
    const isOffered = this.instance.values.error_tracking_integrated_enabled;
    return { kind: isOffered ? 'collecting' : 'off' };
  }
}
