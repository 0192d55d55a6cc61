import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { PgNotifyListener } from '../announcements/pg-notify-listener.service.js';
import { TextCipher } from '../text-cipher.js';
import {
  ApplicationSettingsRepository,
  type StoredSetting,
} from './application-settings.repository.js';
import type { SettingDeclaration } from './setting-types.js';
import { DEFAULT_SETTINGS, SETTINGS, type SettingName, type Settings } from './settings.js';

const RETRY_MS = 1_000;

/**
 * Instance settings, cached per process and read again on every announcement on the channel
 * `settings`: a change reaches all processes some milliseconds after its commit. Reading one costs
 * nothing: `settings.values.impersonation_enabled`.
 */
@Injectable()
export class InstanceSettings implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(InstanceSettings.name);
  private readonly cipher: TextCipher;
  private current: Settings = DEFAULT_SETTINGS;
  /** Readings follow one another, so that an older answer never replaces a newer one. */
  private reading: Promise<void> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly rows: ApplicationSettingsRepository,
    announcements: PgNotifyListener,
    @Inject(CONFIG) config: Config,
  ) {
    this.cipher = new TextCipher(config.secretKey, 'application settings');
    const reload = (): void => void this.reload();
    announcements.subscribe('settings', {
      onMessage: reload,
      onConnect: reload,
      onDisconnect: reload,
    });
  }

  /** Includes secrets in plain text, which must not be shown. */
  get values(): Settings {
    return this.current;
  }

  async onModuleInit(): Promise<void> {
    await this.reload();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.reading;
  }

  /** Reads the settings again; retries each second after a failure. */
  reload(): Promise<void> {
    this.reading = this.reading.then(() => this.read());
    return this.reading;
  }

  /** Returns a value as it is stored. */
  stored(name: SettingName, value: unknown): unknown {
    const declaration: SettingDeclaration = SETTINGS[name];
    return declaration.secret === true && value !== '' ? this.cipher.encrypt(String(value)) : value;
  }

  /** Returns all settings of these rows, defaults included. */
  from(rows: readonly StoredSetting[]): Settings {
    return Object.freeze({ ...DEFAULT_SETTINGS, ...this.known(rows) });
  }

  private async read(): Promise<void> {
    if (this.stopped) return;
    clearTimeout(this.retry);
    try {
      this.current = this.from(await this.rows.stored());
    } catch (error) {
      this.logger.warn(`Settings were not read, the last known hold: ${String(error)}`);
      this.retry = setTimeout(() => void this.reload(), RETRY_MS);
    }
  }

  /** Skips rows of unknown settings. */
  private known(rows: readonly StoredSetting[]): Partial<Settings> {
    const entries = rows
      .filter(({ name }) => Object.hasOwn(SETTINGS, name))
      .map(({ name, value }) => [name, this.opened(name as SettingName, value)]);
    return Object.fromEntries(entries) as Partial<Settings>;
  }

  private opened(name: SettingName, value: unknown): unknown {
    const declaration: SettingDeclaration = SETTINGS[name];
    if (declaration.secret !== true || value === '') return value;
    const text = this.cipher.decrypt(String(value));
    if (text === null) this.logger.error(`${name} cannot be read with this SECRET_KEY`);
    return text ?? '';
  }
}
