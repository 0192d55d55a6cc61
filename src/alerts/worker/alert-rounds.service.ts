import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { PeriodicTask, type IsStopping } from '../../core/queue/periodic-task.js';
import { DeliveryJanitor } from './delivery-janitor.service.js';
import { StaleAlertResolver } from './stale-alert-resolver.service.js';

const ROUND_MS = 60_000;

/** Periodic tasks of alerts: every minute, and when the worker starts. */
@Injectable()
export class AlertRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AlertRounds.name);
  private readonly rounds = new PeriodicTask(ROUND_MS, (isStopping) => this.run(isStopping), {
    logger: this.logger,
  });

  constructor(
    private readonly silentAlerts: StaleAlertResolver,
    private readonly janitor: DeliveryJanitor,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  private async run(isStopping: IsStopping): Promise<void> {
    await this.tell('Resolved silent alerts', this.silentAlerts.run(isStopping));
    await this.tell('Deleted old deliveries', this.janitor.run(isStopping));
  }

  /** Logs a failure, so that the other tasks go on; the next round retries. */
  private async tell(what: string, work: Promise<number>): Promise<void> {
    try {
      const count = await work;
      if (count > 0) this.logger.log(`${what}: ${count}`);
    } catch (error) {
      this.logger.error(`${what}: failed: ${String(error)}`);
    }
  }
}
