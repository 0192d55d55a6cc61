import { Injectable } from '@nestjs/common';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import type { ClientKey } from '../../client-key.entity.js';
import { ClientKeysRepository } from '../../client-keys/client-keys.repository.js';
import type { ErrorTrackingSetting } from '../../error-tracking-setting.entity.js';
import { ErrorTrackingSettings } from '../../settings/error-tracking-settings.service.js';
import { ErrorUsage, type ErrorUsageResponse } from '../../settings/error-usage.service.js';

/** All that the page of a project's settings shows. */
export interface ErrorSetUp {
  /** null when the project never chose anything. */
  settings: ErrorTrackingSetting | null;
  keys: ClientKey[];
  usage: { days: string[]; rows: ErrorUsageResponse[] };
  /** True if the instance enables the built-in backend. */
  isOffered: boolean;
  /** Default retention of events in days. */
  usualDays: number;
}

const USAGE_DAYS = 30;

/** Brings together how a project tracks its errors. */
@Injectable()
export class ErrorSetUps {
  constructor(
    private readonly settings: ErrorTrackingSettings,
    private readonly keys: ClientKeysRepository,
    private readonly usage: ErrorUsage,
    private readonly instance: InstanceSettings,
  ) {}

  /** Without settings, keys or usage their parts are null or empty. */
  async of(projectId: number): Promise<ErrorSetUp> {
    const [settings, keys, rows] = await Promise.all([
      this.settings.read(projectId),
      this.keys.list(projectId),
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
