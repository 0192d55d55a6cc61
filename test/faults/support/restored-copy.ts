import { join, resolve } from 'node:path';
import pg from 'pg';
import { relativeRepositoryPath } from '../../../src/git/repository-path.js';
import { type CommandResult, runCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { type Content, refsOf } from '../../support/instance-content.js';
import { FaultProcess } from './fault-process.js';
import type { FaultStack } from './stack.js';

/** An instance with nothing but a backup of a stack: a database of its own and other folders. */
export class RestoredCopy {
  private constructor(
    private readonly stack: FaultStack,
    private readonly client: pg.Client,
    private readonly env: NodeJS.ProcessEnv,
    private readonly storages: Record<string, { path: string; weight: number }>,
    /** Of `guildhall backup restore`. */
    readonly result: CommandResult,
  ) {}

  /** Restores the newest backup that the environment names. */
  static async make(stack: FaultStack, backups: NodeJS.ProcessEnv): Promise<RestoredCopy> {
    await stack.rows('CREATE DATABASE copy');
    const url = Object.assign(new URL(stack.config.databaseUrl), { pathname: '/copy' }).href;
    const folder = join(stack.folder, 'copy');
    const storages = Object.fromEntries(
      Object.keys(stack.config.storages).map((name) => [
        name,
        { path: join(folder, name), weight: 1 },
      ]),
    );
    const env = {
      ...backups,
      DATABASE_URL: url,
      DATA_DIR: join(folder, 'data'),
      QUEUE_PREFIX: 'copy',
      STORAGES: JSON.stringify(storages),
    };
    const program = resolve('dist/cli.js');
    const result = await runCommand(process.execPath, [program, 'backup', 'restore'], { env });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new RestoredCopy(stack, client, env, storages, result);
  }

  async rows<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
    return (await this.client.query<T>(text)).rows;
  }

  /** HEAD and refs of every repository; throws unless each is sound. */
  refs(): Promise<Content> {
    return refsOf(this.storages);
  }

  /** Path of a project's repository. */
  repository(projectId: number): string {
    const root = this.storages['default']?.path ?? '';
    return join(root, relativeRepositoryPath('project', projectId));
  }

  /** Runs a worker until it has recorded the writes that were under way during the backup. */
  async recordLateWrites(): Promise<number> {
    const count = async (): Promise<number> =>
      (await this.rows('SELECT 1 FROM inflight_writes')).length;
    const late = await count();
    const logFile = join(this.stack.folder, 'copy.log');
    const worker = FaultProcess.start('worker.js', { env: this.env, logFile });
    await eventually(async () => (await count()) === 0, { seconds: 90, everyMs: 200 });
    await worker.kill();
    return late;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
