import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { CliError } from '../cli.js';
import type { BackupStore } from './backup-store.js';

const LOCKS = 'locks/';
const REFRESH_MS = 60_000;
/** A holder that could not refresh its lock for so long gives up, before others take it for dead. */
const LOST_MS = 10 * 60_000;
const STALE_MS = 15 * 60_000;

interface LockFile {
  owner: string;
  host: string;
  refreshed_at: string;
}

/**
 * Lock of a store against commands of other databases, such as a standby. Stores cannot create an
 * object only if it is absent, so each command writes one of its own and then looks for others: two
 * at once can both be refused, but never both continue. Clocks must agree within five minutes.
 */
export class StoreLock {
  private refreshedAt = 0;
  private refresh: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly store: BackupStore,
    private readonly owner: string,
    private readonly key: string,
  ) {}

  /** `owner` is a database whose own lock the caller holds: its other locks are of dead processes. */
  static async take(store: BackupStore, owner: string): Promise<StoreLock> {
    const lock = new StoreLock(store, owner, LOCKS + randomBytes(8).toString('hex'));
    try {
      await lock.write();
      await lock.assertAlone();
    } catch (error) {
      await lock.release();
      throw error;
    }
    lock.timer = setInterval(() => {
      // assertHeld notices when it fails for long.
      lock.refresh = lock.write().catch(() => undefined);
    }, REFRESH_MS);
    return lock;
  }

  /** Throws CliError when others can have taken over. */
  assertHeld(): void {
    if (Date.now() - this.refreshedAt < LOST_MS) return;
    throw new CliError('the lock of the location could not be refreshed for 10 minutes');
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.refresh;
    await this.store.delete(this.key);
  }

  private async write(): Promise<void> {
    const now = new Date();
    const file: LockFile = {
      owner: this.owner,
      host: hostname(),
      refreshed_at: now.toISOString(),
    };
    await this.store.put(this.key, Buffer.from(`${JSON.stringify(file)}\n`));
    this.refreshedAt = now.getTime();
  }

  private async assertAlone(): Promise<void> {
    const keys = await this.store.list(LOCKS);
    for (const key of keys.filter((other) => other !== this.key)) {
      const content = await this.store.get(key);
      if (content === null) continue;
      const { owner, host, refreshed_at: refreshedAt } = parseLock(key, content);
      const isStale = Date.now() - Date.parse(refreshedAt) > STALE_MS;
      if (owner !== this.owner && !isStale) {
        throw new CliError(
          `another instance uses the location: a process on ${host} at ${refreshedAt} ` +
            '(the lock of a dead one expires after 15 minutes)',
        );
      }
      await this.store.delete(key);
    }
  }
}

function parseLock(key: string, content: Buffer): LockFile {
  try {
    return JSON.parse(content.toString('utf8')) as LockFile;
  } catch {
    throw new CliError(`${key} at the location is not a lock: delete it when no backup runs`);
  }
}
