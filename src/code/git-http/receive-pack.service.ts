import { once } from 'node:events';
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
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { authContext } from '../../core/access/auth-context.js';
import { bareRepositoryExists } from '../../git/git-repository.js';
import { spawnGit } from '../../git/git-process.js';
import { HookChannel, HOOKS_PATH } from '../../git/hook-channel.js';
import type { RefCommand } from '../../git/reference-updates.js';
import { pushLockPrefix } from '../../git/push-lock.js';
import { PushOptionsListeners, PushRecorder } from '../../git/push-recorder.service.js';
import { repositoryKey } from '../../git/repository-path.js';
import { onStorage, StorageRegistry } from '../../git/storage-registry.js';
import {
  READ_ONLY_MESSAGE,
  RepositoryReadOnlyError,
  WriteLeaseService,
} from '../../git/write-lease.service.js';
import {
  advertiseRefs,
  assertConnected,
  countReceived,
  endResponse,
  exited,
  type GitExchange,
  protocolEnvironment,
  setGitHeaders,
  receivePackConfig,
} from './git-exchange.js';
import { unavailable } from './git-http-error.js';
import type { GitTarget } from './git-targets.service.js';
import { CLIENT_LIMITS, GitProcessLimits } from './git-process-limits.js';
import { connectPush, type PushExchange, PushSession } from './push-session.js';
import { readPushStart, refusalReport } from './push-commands.js';
import { endWhenSlow, openBody } from './request-body.js';

/** Slowest upload of a push: a client that goes silent would hold a process and a lease. */
const PACE = { milliseconds: 60_000, minBytes: 1_024 };
const RESULT_TYPE = 'application/x-git-receive-pack-result';
/** For pushes whose client has left; the others have had the server's own time to end. */
const SHUTDOWN_WAIT_MS = 3_000;
/** A move can end between two looks; that it happens again and again is a fault. */
const MAX_ATTEMPTS = 3;

/** Pushes: git's receive-pack between the client and the repository, with our consent. */
@Injectable()
export class ReceivePack implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ReceivePack.name);
  private readonly processes = new GitProcessLimits(CLIENT_LIMITS);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly leases: WriteLeaseService,
    private readonly recorder: PushRecorder,
    private readonly storages: StorageRegistry,
    private readonly options: PushOptionsListeners,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** git silently skips a hook that it cannot execute: then every push would be accepted. */
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
    const release = this.processes.acquire(exchange);
    try {
      await advertiseRefs(exchange, receivePackConfig(target.kind));
    } finally {
      release();
    }
  }

  /** Takes in one push. It goes on without the client once its body is complete. */
  async serve(exchange: GitExchange): Promise<void> {
    const { request, response } = exchange;
    const body = openBody(request, Infinity);
    countReceived(exchange);
    endWhenSlow(body, request, PACE);
    const start = await readPushStart(body);
    if (start.isProbe) {
      body.resume();
      setGitHeaders(response, RESULT_TYPE);
      response.end();
      return;
    }
    const push = this.push({ ...exchange, start, body });
    this.running.add(push);
    try {
      await push;
    } finally {
      this.running.delete(push);
    }
  }

  private async push(exchange: PushExchange): Promise<void> {
    const release = this.processes.acquire(exchange);
    try {
      for (let attempt = 1; !(await this.attempt(exchange)); attempt += 1) {
        if (attempt === MAX_ATTEMPTS) throw unavailable(READ_ONLY_MESSAGE);
      }
    } finally {
      release();
    }
  }

  /** Returns false if a move took the repository away before git could enter it. */
  private async attempt(exchange: PushExchange): Promise<boolean> {
    const { target, viewer } = exchange;
    const lease = await this.leases
      .acquire({ ...target, userId: viewer?.id ?? null })
      .catch(nullIfReadOnly);
    if (lease === null) {
      refuse(exchange);
      return true;
    }
    const { storage } = lease;
    const path = this.storages.absolutePath({ ...target, storage });
    const session = new PushSession({
      lease,
      target,
      path,
      recorder: this.recorder,
      notice: this.notice(target),
      followOptions: (updates) => this.followOptions(exchange, updates),
      onError: (error) => this.logger.error(error),
    });
    try {
      return await this.run({ ...exchange, path }, storage, session);
    } finally {
      await session.finish();
    }
  }

  /** Applies the push options of projects; no option applies to snippets and wikis. */
  private async followOptions(
    { request, target, viewer, start: { options } }: PushExchange,
    updates: readonly RefCommand[],
  ): Promise<readonly string[]> {
    if (target.kind !== 'project' || viewer === null || options.length === 0) return [];
    return this.options.follow({
      projectId: target.containerId,
      viewer,
      ip: authContext(request).ip,
      userAgent: request.get('User-Agent') ?? '',
      options,
      updates,
    });
  }

  private async run(
    exchange: PushExchange,
    storage: string,
    session: PushSession,
  ): Promise<boolean> {
    const { request, response, target, path } = exchange;
    const key = repositoryKey(target.kind, target.containerId);
    const { root: storageRoot } = this.storages.get(storage);
    const prefix = await onStorage(storage, () =>
      pushLockPrefix({ storageRoot, repositoryKey: key }),
    );
    assertConnected(response);
    const child = spawnGit(['receive-pack', '--stateless-rpc', '.'], {
      cwd: path,
      env: protocolEnvironment(request),
      config: receivePackConfig(target.kind),
      prefix,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      if (await bareRepositoryExists(path)) throw error;
      return false;
    }
    const onError = (error: unknown): void => this.logger.error(error);
    const channel = new HookChannel(child.stdio[3] as Duplex, session, onError);
    const failure = connectPush(exchange, child, session);
    setGitHeaders(response, RESULT_TYPE);
    const exit = await exited(child);
    await channel.settled();
    await session.finish(exit);
    if (failure.error !== undefined) throw failure.error;
    await onStorage(storage, async () => endResponse(response, exit));
    return true;
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

function nullIfReadOnly(error: unknown): null {
  if (error instanceof RepositoryReadOnlyError) return null;
  throw error;
}

/** Only git's own report reaches the person once the body has begun; what follows is not needed. */
function refuse({ response, start, body }: PushExchange): void {
  body.on('error', () => undefined).resume();
  setGitHeaders(response, RESULT_TYPE);
  response.end(refusalReport(start, READ_ONLY_MESSAGE));
}
