import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { OAuthAccessGrantsRepository } from '../oauth-access-grants.repository.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';

const DAY_MS = 86_400_000;

/** Period in which the reuse of a code or refresh token after its end is detected. */
const KEPT_DAYS = 30;

/** Deletes OAuth tokens and codes a month after their end; otherwise they would pile up for ever. */
@Injectable()
export class OAuthJanitor {
  constructor(
    private readonly tokens: OAuthTokensRepository,
    private readonly grants: OAuthAccessGrantsRepository,
    private readonly clock: Clock,
  ) {}

  /** Deletes what has ended. */
  @RunEvery({ ms: 3_600_000, failureMessage: 'Ended OAuth tokens stay', level: 'warn' })
  async run(isStopping: IsStopping = () => false): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    for (const repository of [this.tokens, this.grants]) {
      let hasMore = true;
      while (hasMore && !isStopping()) hasMore = await repository.deleteEnded(before);
    }
  }
}
