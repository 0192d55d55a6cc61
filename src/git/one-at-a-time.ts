import { BoundedQueue } from '../core/bounded-queue.js';

const LINE = { running: 1, waiting: 100 };

/** Runs the tasks of each key one after the other, those of different keys at once. */
export class OneAtATime {
  private readonly lines = new Map<string, { queue: BoundedQueue; tasks: number }>();

  /** Runs the task when it is its turn. Throws 503 when a hundred of its key wait. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { queue: new BoundedQueue(LINE), tasks: 0 };
    this.lines.set(key, line);
    line.tasks += 1;
    try {
      return await line.queue.run(task);
    } finally {
      line.tasks -= 1;
      if (line.tasks === 0) this.lines.delete(key);
    }
  }
}
