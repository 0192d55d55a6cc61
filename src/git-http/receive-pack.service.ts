import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { killGroup, spawnGit } from '../git/git-process.js';
import { HookChannel } from '../git/hook-channel.js';
import { pushLockPrefix } from '../git/push-lock.js';
import { PushRecorder } from '../git/push-recorder.service.js';
import { repositoryKey } from '../git/repository-path.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { RepositoryReadOnlyError, WriteLeaseService } from '../git/write-lease.service.js';
import type { WriteLease } from '../git/write-lease.js';
import { advertiseRefs } from './advertise-refs.js';
import { HOOKS_PATH, receivePackConfig } from './git-commands.js';
import {
  endResponse,
  exited,
  type GitExchange,
  openBody,
  protocolEnvironment,
  setGitHeaders,
} from './git-exchange.js';
import type { GitTarget } from './git-target.js';
import { ProcessSlots } from './process-slots.js';
import { PushSession } from './push-session.js';

/** What git sends to see whether a large push would be let in: one flush packet. */
const PROBE_LENGTH = '4';
const RESULT_TYPE = 'application/x-git-receive-pack-result';
const SHUTDOWN_WAIT_MS = 25_000;
const KILL_AFTER_MS = 5_000;

type Child = ReturnType<typeof spawnGit>;

/** Pushes: git's receive-pack between the client and the repository, with our consent. */
@Injectable()
export class ReceivePack implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ReceivePack.name);
  private readonly slots = new ProcessSlots({ perRepository: 20, total: 100 });
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly leases: WriteLeaseService,
    private readonly recorder: PushRecorder,
    private readonly storages: StorageRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** git silently skips a hook that it may not execute: then every push would be let in. */
  async onModuleInit(): Promise<void> {
    for (const hook of ['pre-receive', 'post-receive']) {
      await access(join(HOOKS_PATH, hook), constants.X_OK);
    }
  }

  /** Lets pushes come to their end, for a bounded time. */
  async onApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SHUTDOWN_WAIT_MS);
    });
    await Promise.race([Promise.allSettled(this.running), bound]);
    clearTimeout(timer);
  }

  /** Answers info/refs for a push. */
  async advertise(exchange: GitExchange): Promise<void> {
    const { target } = exchange;
    const giveBack = this.slots.take(repositoryKey(target.kind, target.containerId));
    try {
      await advertiseRefs(exchange, receivePackConfig(target.kind));
    } finally {
      giveBack();
    }
  }

  /** Takes in one push. It goes on without the client once its body is complete. */
  async serve(exchange: GitExchange): Promise<void> {
    const { request, response } = exchange;
    if (request.get('Content-Length') === PROBE_LENGTH) {
      request.resume();
      setGitHeaders(response, RESULT_TYPE);
      response.end();
      return;
    }
    const push = this.push(exchange);
    this.running.add(push);
    try {
      await push;
    } finally {
      this.running.delete(push);
    }
  }

  private async push(exchange: GitExchange): Promise<void> {
    const { target, viewer } = exchange;
    const giveBack = this.slots.take(repositoryKey(target.kind, target.containerId));
    try {
      const lease = await this.lease(target, viewer?.id ?? null);
      // A move may have ended since the request was let in.
      const storage = lease?.storage ?? target.storage;
      const path = this.storages.absolutePath({ ...target, storage });
      const session = new PushSession({
        lease,
        target,
        path,
        recorder: this.recorder,
        notice: this.notice(target),
        onError: (error) => this.logger.error(error),
      });
      try {
        await this.run({ ...exchange, path }, storage, session);
      } finally {
        await session.finish();
      }
    } finally {
      giveBack();
    }
  }

  /** null during a move: once the body has begun, only the hook's text reaches people. */
  private async lease(target: GitTarget, userId: number | null): Promise<WriteLease | null> {
    try {
      return await this.leases.acquire({ ...target, userId });
    } catch (error) {
      if (error instanceof RepositoryReadOnlyError) return null;
      throw error;
    }
  }

  private async run(exchange: GitExchange, storage: string, session: PushSession): Promise<void> {
    const { request, response, target, path } = exchange;
    const key = repositoryKey(target.kind, target.containerId);
    const { root: storageRoot } = this.storages.get(storage);
    const child = spawnGit(['receive-pack', '--stateless-rpc', '.'], {
      cwd: path,
      env: protocolEnvironment(request),
      config: receivePackConfig(target.kind),
      prefix: await pushLockPrefix({ storageRoot, repositoryKey: key }),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const onError = (error: unknown): void => this.logger.error(error);
    const channel = new HookChannel(child.stdio[3] as Duplex, session, onError);
    const failure = connect(exchange, child, session);
    setGitHeaders(response, RESULT_TYPE);
    const exit = await exited(child);
    await channel.settled();
    await session.finish();
    if (failure.error !== undefined) throw failure.error;
    endResponse(response, exit);
  }

  private notice({ moved }: GitTarget): string[] {
    if (moved === null) return [];
    return [
      '',
      `Project '${moved.from}' was moved to '${moved.to}'.`,
      '',
      'Please update your Git remote:',
      '',
      `  git remote set-url origin ${this.config.baseUrl}/${moved.to}.git`,
      '',
    ];
  }
}

/** Joins client and process; the answer tells later whether the body was at fault. */
function connect(
  { request, response }: GitExchange,
  child: Child,
  session: PushSession,
): { error?: Error } {
  const failure: { error?: Error } = {};
  const body = openBody(request, Infinity);
  const cancel = (): void => {
    session.cancel();
    stop(child);
  };
  body.on('error', (error) => {
    failure.error = error;
    cancel();
  });
  // A push that git refuses early is read to its end, so that the client gets the answer.
  child.stdin?.on('error', () => body.resume());
  if (child.stdin !== null) body.pipe(child.stdin);
  child.stdout?.pipe(response, { end: false });
  response.once('close', () => {
    if (response.writableFinished) return;
    if (!request.complete) cancel();
    // With its output cut git would die before post-receive, after the refs are updated.
    child.stdout?.unpipe(response);
    child.stdout?.resume();
  });
  return failure;
}

/** Ends git's input: it stops and removes its quarantine. A signal would leave that behind. */
function stop(child: Child): void {
  child.stdin?.destroy();
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  child.once('close', () => clearTimeout(timer));
}
