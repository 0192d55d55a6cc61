import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { killGroup } from '../git/git-process.js';
import { type GitExchange, sendOutput } from './git-exchange.js';
import type { PushStart } from './push-commands.js';
import type { PushSession } from './push-session.js';

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
