import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandResult } from '../../support/command.js';
import type { GitSandbox } from '../../support/git.js';

const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

export interface PusherOptions {
  sandbox: GitSandbox;
  /** To clone from, credentials included. */
  url: string;
  branch: string;
  /** Time between two pushes; the next one follows at once without it. */
  everyMs?: number;
}

/** Pushes one commit after the other to a branch of its own, with a real git. */
export class Pusher {
  /** Commits whose push git has reported as done. */
  readonly accepted: string[] = [];
  refused = 0;
  /** Other unexpected results. */
  readonly oddities: string[] = [];
  private isStopping = false;
  private loop: Promise<void> = Promise.resolve();

  private constructor(private readonly options: PusherOptions) {}

  static async start(options: PusherOptions): Promise<Pusher> {
    const { sandbox, url, branch } = options;
    await rm(join(sandbox.path, branch), { recursive: true, force: true });
    await sandbox.run(['clone', '--quiet', '--depth=1', '--branch=main', url, branch]);
    await sandbox.run(['checkout', '--quiet', '-b', branch], branch);
    const pusher = new Pusher(options);
    pusher.loop = pusher.run();
    return pusher;
  }

  get branch(): string {
    return this.options.branch;
  }

  /** Resolves when the push under way is over. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    const { sandbox, branch, everyMs = 0 } = this.options;
    for (let count = 1; !this.isStopping; count += 1) {
      if (everyMs > 0) await delay(everyMs);
      const commit = await sandbox.commit(branch, 'count.txt', `${count}\n`);
      const result = await sandbox.try(['push', '--quiet', 'origin', branch], branch);
      this.note(commit, result);
    }
  }

  private note(commit: string, { code, stderr }: CommandResult): void {
    if (code === 0) this.accepted.push(commit);
    else if (stderr.includes(READ_ONLY)) this.refused += 1;
    else this.oddities.push(stderr);
  }
}
