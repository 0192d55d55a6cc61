import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DeliveryJanitor } from './delivery-janitor.service.js';
import { SilentAlerts } from './silent-alerts.service.js';

const ROUND_MS = 60_000;

/** What is done about alerts by the clock: every minute, and when the worker starts. */
@Injectable()
export class AlertRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AlertRounds.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly silentAlerts: SilentAlerts,
    private readonly janitor: DeliveryJanitor,
  ) {}

  onApplicationBootstrap(): void {
    this.start();
    this.timer = setInterval(() => this.start(), ROUND_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.round;
  }

  private start(): void {
    const isStopping = (): boolean => this.isStopping;
    this.round = this.round
      .then(() => this.tell('Resolved silent alerts', this.silentAlerts.run(isStopping)))
      .then(() => this.tell('Deleted old deliveries', this.janitor.run(isStopping)));
  }

  /** What fails is told, and tried again with the next round. */
  private async tell(what: string, work: Promise<number>): Promise<void> {
    try {
      const count = await work;
      if (count > 0) this.logger.log(`${what}: ${count}`);
    } catch (error) {
      this.logger.error(`${what}: failed: ${String(error)}`);
    }
  }
}
