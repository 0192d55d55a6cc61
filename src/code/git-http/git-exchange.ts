import type { Request, Response } from 'express';
import type { Viewer } from '../../core/access/auth-context.js';
import { killGroup } from '../../git/forked-process.js';
import {
  collectStderr,
  type GitConfiguration,
  type GitProcess,
  startGit,
} from '../../git/git-process.js';
import { transferredBytes } from '../../git/git-metrics.js';
import { HOOKS_PATH } from '../../git/hook-channel.js';
import type { RepositoryKind } from '../../git/repository-path.js';
import { ClientGoneError, GitHttpError } from './git-http-error.js';
import type { GitTarget } from './git-targets.service.js';
import { packetLine } from './packet-lines.js';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** A service that can be used on a repository. */
export interface GitAccess {
  service: GitService;
  target: GitTarget;
  viewer: Viewer | null;
  /** Where the repository is on disk. */
  path: string;
  /** Decides again, and finds the repository where a move has taken it. Throws refusals. */
  renew(): Promise<GitAccess>;
}

/** One request of a Git client to one of the two services, already authorised. */
export interface GitExchange extends GitAccess {
  request: Request;
  response: Response;
}

/** Counts what the connection carries until the response ends. */
export function countSent({
  service,
  request,
  response,
}: Pick<GitExchange, 'service' | 'request' | 'response'>): void {
  const { socket } = request;
  const before = socket.bytesWritten;
  response.once('close', () =>
    transferredBytes.inc({ service, direction: 'out' }, socket.bytesWritten - before),
  );
}

/** Counts the body of a request that flows already: a listener of its own would make it flow. */
export function countReceived({ service, request }: GitExchange): void {
  request.on('data', (chunk: Buffer) =>
    transferredBytes.inc({ service, direction: 'in' }, chunk.length),
  );
}

/** Exit of a git process. */
export interface GitExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

const PROTOCOL = /^[a-z0-9=:.]{1,64}$/i;

/** `GIT_PROTOCOL` for the process when the client sent a proper Git-Protocol header. */
export function protocolEnvironment(request: Request): Record<string, string> {
  const protocol = request.get('Git-Protocol');
  return protocol !== undefined && PROTOCOL.test(protocol) ? { GIT_PROTOCOL: protocol } : {};
}

/** Sets the headers of git's own HTTP backend: answers of Git are never cached. */
export function setGitHeaders(response: Response, contentType: string): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-cache, max-age=0, must-revalidate');
  response.setHeader('Pragma', 'no-cache');
  response.setHeader('Expires', 'Fri, 01 Jan 1980 00:00:00 GMT');
}

/**
 * Streams a process's output to the client. Discards the rest when the client disconnects: unread
 * output would keep the process, or its exit, from being noticed.
 */
export function sendOutput(child: GitProcess, response: Response): void {
  if (response.destroyed) {
    child.stdout?.resume();
    return;
  }
  child.stdout?.pipe(response, { end: false });
  response.once('close', () => {
    child.stdout?.unpipe(response);
    child.stdout?.resume();
  });
}

/** Resolves when the process is over and its output read; rejects when it could not start. */
export function exited(child: GitProcess): Promise<GitExit> {
  const stderr = collectStderr(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stderr: stderr() }));
  });
}

/**
 * Ends the response of a finished process. If it failed before its first byte, the client gets a
 * status, 400 for an invalid request; later only the content can report it.
 */
export function endResponse(response: Response, exit: GitExit, isClientsFault = false): void {
  if (response.headersSent || response.destroyed || exit.code === 0) {
    response.end();
    return;
  }
  if (isClientsFault) throw new GitHttpError(400, 'Git could not understand the request.');
  throw new Error(`git failed with ${exit.code ?? exit.signal}: ${exit.stderr}`);
}

/**
 * Throws when the client has left. To be called right before a process is started, which it would
 * not need.
 */
export function assertConnected(response: Response): void {
  if (response.destroyed) throw new ClientGoneError();
}

/** Kills a process that has just been started when its client disconnects, or already has. */
export function endWithClient(child: GitProcess, response: Response): void {
  const kill = (): void => killGroup(child, 'SIGKILL');
  if (response.destroyed) kill();
  else response.once('close', kill);
}

/** Answers info/refs with what the service's own program lists. The client's leaving ends it. */
export async function advertiseRefs(
  { request, response, service, path }: GitExchange,
  config: GitConfiguration,
): Promise<void> {
  assertConnected(response);
  const command = service.slice('git-'.length);
  const child = await startGit([command, '--stateless-rpc', '--http-backend-info-refs', '.'], {
    cwd: path,
    env: protocolEnvironment(request),
    config,
  });
  endWithClient(child, response);
  child.stdin.end();
  setGitHeaders(response, `application/x-${service}-advertisement`);
  child.stdout.once('data', () => {
    response.write(`${packetLine(`# service=${service}\n`)}0000`);
  });
  sendOutput(child, response);
  endResponse(response, await exited(child));
}

const GIBIBYTE = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;

/** Silence of a client after which upload-pack gives up, and so does the connection. */
export const IDLE_SECONDS = 600;

// Refs of our own; clients neither see nor push them.
export const HIDDEN_REFS = ['refs/keep-around', 'refs/internal'];

/** Settings of upload-pack: partial clones and fetches of single commits are welcome. */
export const UPLOAD_PACK_CONFIG: GitConfiguration = {
  'transfer.hideRefs': HIDDEN_REFS,
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'pack.threads': '2',
};

/** Settings of receive-pack: everything pushed is checked before it becomes visible. */
export function receivePackConfig(kind: RepositoryKind): GitConfiguration {
  const maxInputSize = kind === 'snippet' ? 50 * MEBIBYTE : 5 * GIBIBYTE;
  return {
    'transfer.hideRefs': HIDDEN_REFS,
    'receive.advertisePushOptions': 'true',
    'receive.fsckObjects': 'true',
    'receive.maxInputSize': String(maxInputSize),
    'core.hooksPath': HOOKS_PATH,
    'pack.threads': '2',
  };
}
