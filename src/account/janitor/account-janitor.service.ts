import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Rounds } from '../../core/queue/rounds.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql } from '../../core/sql/sql.service.js';

const ROUND_MS = 600_000;

/** $2, $3: minutes without a request after which a session, or a remembered one, has ended. */
const END_SESSIONS_SQL = `
  DELETE FROM sessions WHERE expires_at <= $1::timestamptz OR last_seen_at <= $1
    - CASE WHEN remembered THEN $3::integer ELSE $2::integer END * interval '1 minute'`;

const END_LINKS_SQL = 'DELETE FROM mail_links WHERE expires_at <= $1';

/** Deletes the rows of sessions and mailed links that have ended by themselves. */
@Injectable()
export class AccountJanitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AccountJanitor.name);
  private readonly rounds = new Rounds(ROUND_MS, () => this.run(), {
    logger: this.logger,
    saying: 'Ended sessions stay',
    level: 'warn',
  });

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round; runs every ten minutes by itself. */
  async run(): Promise<void> {
    const now = this.clock.now();
    const { session_expire_delay: minutes, remember_me_days: days } = this.settings.values;
    await this.sql.rows(END_SESSIONS_SQL, [now, minutes, Math.max(minutes, days * 1_440)]);
    await this.sql.rows(END_LINKS_SQL, [now]);
  }
}
