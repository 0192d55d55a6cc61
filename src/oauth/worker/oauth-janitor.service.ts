import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Rounds, type IsStopping } from '../../core/queue/rounds.js';
import { Sql } from '../../core/sql/sql.service.js';

const ROUND_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** How long it can be told that a code or a refresh token comes back after its end. */
const KEPT_DAYS = 30;

/** Rows of one statement, so that none of them locks for long. */
const CHUNK = 1_000;

const TOKENS_SQL = `
  DELETE FROM access_tokens WHERE id = ANY(ARRAY(
    SELECT id FROM access_tokens
    WHERE kind = 'oauth' AND least(revoked_at, coalesce(refresh_expires_at, expires_at)) < $1
    LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Codes stay for as long as tokens that come from them: their redirect URI is asked for. */
const GRANTS_SQL = `
  DELETE FROM oauth_access_grants WHERE id = ANY(ARRAY(
    SELECT g.id FROM oauth_access_grants g
    WHERE g.expires_at < $1 AND NOT EXISTS (SELECT FROM access_tokens t WHERE t.grant_id = g.id)
    LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Deletes OAuth tokens and codes a month after their end; otherwise they would pile up for ever. */
@Injectable()
export class OAuthJanitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OAuthJanitor.name);
  private readonly rounds = new Rounds(ROUND_MS, (isStopping) => this.run(isStopping), {
    logger: this.logger,
    saying: 'Ended OAuth tokens stay',
    level: 'warn',
  });

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round; runs every hour by itself. */
  async run(isStopping: IsStopping = () => false): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    for (const statement of [TOKENS_SQL, GRANTS_SQL]) {
      let deleted = CHUNK;
      while (deleted === CHUNK && !isStopping()) {
        deleted = (await this.sql.rows(statement, [before])).length;
      }
    }
  }
}
