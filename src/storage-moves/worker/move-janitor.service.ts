import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { StorageRegistry } from '../../git/storage-registry.js';
import { CleanUpRetries } from './clean-up-retries.service.js';
import { TemporarySweep } from './temporary-sweep.service.js';
import { TrashCollection } from './trash-collection.service.js';

const ROUND_MS = 60_000;

/** Takes the rubbish out: old trash, abandoned copies, and sources that could not be removed. */
@Injectable()
export class MoveJanitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MoveJanitor.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly storages: StorageRegistry,
    private readonly trash: TrashCollection,
    private readonly temporaries: TemporarySweep,
    private readonly cleanUps: CleanUpRetries,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.runOnce(), ROUND_MS);
    // Leftovers of a killed worker are removed at the start.
    void this.runOnce();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.round;
  }

  /** One round over all storages; runs every minute by itself. A storage that is away is skipped. */
  async run(): Promise<void> {
    for (const storage of this.storages.names()) {
      await this.attempt(`trash of ${storage}`, () => this.trash.register(storage));
      await this.attempt(`copies on ${storage}`, () => this.temporaries.sweep(storage));
    }
    await this.attempt('clean-ups', () => this.cleanUps.run());
    await this.attempt('trash', () => this.trash.empty(() => this.isStopping));
  }

  private runOnce(): Promise<void> {
    this.round ??= this.run().finally(() => {
      this.round = null;
    });
    return this.round;
  }

  private async attempt(what: string, task: () => Promise<void>): Promise<void> {
    if (this.isStopping) return;
    try {
      await task();
    } catch (error) {
      this.logger.warn(`Janitor: ${what}: ${String(error)}`);
    }
  }
}
