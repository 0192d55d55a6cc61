import { BoundedQueue } from './bounded-queue.js';

interface Line {
  queue: BoundedQueue;
  tasks: number;
}

/** A line for each key: a few of its tasks run at once, those of other keys do not wait for them. */
export class Lines {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limits: { running: number; waiting: number }) {}

  /** Runs the task when it is its turn. Throws 503 when too many of its key wait. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { queue: new BoundedQueue(this.limits), tasks: 0 };
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
