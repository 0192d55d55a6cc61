import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { HookAnswer, HookHandler, Quarantine } from '../../git/hook-channel.js';
import type { RefCommand } from '../../git/reference-updates.js';
import type { PushRecorder } from '../../git/push-recorder.service.js';
import { READ_ONLY_MESSAGE, type WriteLease } from '../../git/write-lease.service.js';
import { killGroup } from '../../git/forked-process.js';
import { type GitExit, type GitExchange, sendOutput } from './git-exchange.js';
import type { GitTarget } from './git-targets.service.js';
import { pushProblem } from './push-policy.js';
import type { PushStart } from './push-commands.js';

interface PushContext {
  lease: WriteLease;
  target: GitTarget;
  path: string;
  recorder: PushRecorder;
  /** Lines for the client's terminal after an accepted push. */
  notice: readonly string[];
  /**
   * Applies the push options after the push is recorded and returns lines for the client's
   * terminal.
   */
  followOptions(updates: readonly RefCommand[]): Promise<readonly string[]>;
  onError(error: unknown): void;
}

/**
 * Server side of one push: accepts or refuses it, and records what it updated, exactly
 * once, whether or not the client is still there.
 */
export class PushSession implements HookHandler {
  private accepted: RefCommand[] | null = null;
  private updated: RefCommand[] | null = null;
  private isRecorded = false;
  private isFinished = false;
  private isCancelled = false;

  constructor(private readonly context: PushContext) {}

  /** The client left before its request was complete: nothing of it may come into force. */
  cancel(): void {
    this.isCancelled = true;
  }

  /** The last word before any ref changes. */
  async preReceive(commands: RefCommand[], quarantine: Quarantine | null): Promise<HookAnswer> {
    const { lease, target, path } = this.context;
    if (this.isCancelled) return refuse('The push was not complete.');
    // Also refused when the lease was lost during the upload: a move may have proceeded without it.
    if (!(await lease.confirm(commands))) return refuse(READ_ONLY_MESSAGE);
    const problem = await pushProblem({ target, path, commands, quarantine });
    if (problem !== null) return refuse(problem);
    this.accepted = commands;
    return { accept: true, lines: [] };
  }

  /** The client's answer waits for this: who pushed can rely on the record. */
  async postReceive(updates: RefCommand[]): Promise<readonly string[]> {
    this.updated = updates;
    try {
      await this.record(updates);
      return [...this.context.notice, ...(await this.context.followOptions(updates))];
    } catch (error) {
      // The refs are updated regardless; `finish` tries again.
      this.context.onError(error);
    }
    return this.context.notice;
  }

  /**
   * Closes the write after receive-pack has ended. After a normal exit post-receive has reported
   * its updates; otherwise they are read from the refs.
   */
  async finish(exit?: Pick<GitExit, 'code'>): Promise<void> {
    const { lease } = this.context;
    if (this.isFinished) return;
    this.isFinished = true;
    try {
      if (!this.isRecorded) await this.recordOutcome(exit?.code === 0);
      await lease.release();
    } catch (error) {
      lease.abandon();
      this.context.onError(error);
    }
  }

  private async recordOutcome(isReported: boolean): Promise<void> {
    const { lease, path, recorder } = this.context;
    if (this.updated !== null || isReported) return this.record(this.updated ?? []);
    if (this.accepted === null) return;
    await recorder.recordOutcome({ ...lease, repositoryPath: path }, this.accepted);
  }

  private async record(updates: readonly RefCommand[]): Promise<void> {
    const { lease, path, recorder } = this.context;
    await recorder.record({ ...lease, repositoryPath: path }, updates);
    this.isRecorded = true;
  }
}

function refuse(reason: string): HookAnswer {
  return { accept: false, lines: [`Guildhall: ${reason}`] };
}

const KILL_AFTER_MS = 5_000;

/** A push whose commands have been read. */
export interface PushExchange extends GitExchange {
  start: PushStart;
  /** Data that follows `start`. */
  body: Readable;
}

/** Joins client and process; the result shows later if the body was invalid. */
export function connectPush(
  { request, response, start, body }: PushExchange,
  child: ChildProcess,
  session: PushSession,
): { error?: Error } {
  const failure: { error?: Error } = {};
  const cancel = (): void => {
    session.cancel();
    stop(child);
  };
  const fail = (error: Error): void => {
    failure.error = error;
    // git's report on its broken input would go out in place of the error.
    child.stdout?.unpipe(response).resume();
    cancel();
  };
  if (body.errored) fail(body.errored);
  body.on('error', fail);
  // A push that git refuses early is read to its end, so that the client gets the answer.
  child.stdin?.on('error', () => body.resume());
  child.stdin?.write(start.bytes);
  if (child.stdin !== null) body.pipe(child.stdin);
  // With its output cut git would die before post-receive, after the refs are updated.
  sendOutput(child, response);
  response.once('close', () => {
    if (!response.writableFinished && !request.complete) cancel();
  });
  return failure;
}

/** Ends git's input: it stops and removes its quarantine. A signal would leave that behind. */
function stop(child: ChildProcess): void {
  child.stdin?.destroy();
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  child.once('close', () => clearTimeout(timer));
}
