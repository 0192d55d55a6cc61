import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';

/** Someone who does the same again and again until told to stop. */
export abstract class Repeater {
  /** Forbidden results that occurred. */
  readonly oddities: string[] = [];
  /** Number of acknowledged operations of a process. */
  acknowledged = 0;
  protected isStopping = false;
  private working: Promise<void> = Promise.resolve();

  start(): void {
    this.working = this.repeat();
  }

  /** Resolves when what was begun is over; throws what it could not make sense of. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.working;
  }

  protected abstract round(): Promise<void>;

  private async repeat(): Promise<void> {
    while (!this.isStopping) await this.round();
  }
}

interface Storm {
  /** Kills something and starts it again. */
  kill(): Promise<void>;
  kills: number;
  /** Number of acknowledgements before the next kill. */
  between: number;
}

/** Kills in the middle of what the people do, and ends when they have gone on after the last one. */
export async function killInTheMiddle(
  people: readonly Repeater[],
  { kill, kills, between }: Storm,
): Promise<void> {
  const sum = (): number => people.reduce((total, { acknowledged }) => total + acknowledged, 0);
  const goOn = async (): Promise<void> => {
    const before = sum();
    await eventually(() => sum() >= before + between, { seconds: 30, everyMs: 2 });
  };
  for (const one of people) one.start();
  try {
    for (let count = 0; count < kills; count += 1) {
      await goOn();
      // Another moment of the requests with every kill.
      await delay(((count * 0.618_034) % 1) * 40);
      await kill();
    }
    await goOn();
  } catch (error) {
    await Promise.allSettled(people.map((one) => one.stop()));
    throw error;
  }
  await Promise.all(people.map((one) => one.stop()));
}

/** Waits a moment before a process that is not there is asked again. */
export function pause(): Promise<void> {
  return delay(20);
}
