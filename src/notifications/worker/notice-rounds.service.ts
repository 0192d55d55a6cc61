import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { PeriodicTask, type IsStopping } from '../../core/queue/periodic-task.js';
import { DueIssues } from './due-issues.service.js';
import { NoticePurge } from './notice-purge.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What is done about notices by the clock: telling of due issues, forgetting old notices. */
@Injectable()
export class NoticeRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NoticeRounds.name);
  private readonly minutely = new PeriodicTask(MINUTE_MS, () => this.tell(), {
    logger: this.logger,
  });
  private readonly hourly = new PeriodicTask(HOUR_MS, (isStopping) => this.purge(isStopping), {
    logger: this.logger,
  });

  constructor(
    private readonly dueIssues: DueIssues,
    private readonly oldNotices: NoticePurge,
  ) {}

  onApplicationBootstrap(): void {
    this.minutely.start();
    this.hourly.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.minutely.stop(), this.hourly.stop()]);
  }

  private async tell(): Promise<void> {
    const count = await this.dueIssues.tell();
    if (count > 0) this.logger.log(`Told of issues that are due tomorrow: ${count}`);
  }

  private async purge(isStopping: IsStopping): Promise<void> {
    const count = await this.oldNotices.run(isStopping);
    if (count > 0) this.logger.log(`Forgot old notices: ${count}`);
  }
}
