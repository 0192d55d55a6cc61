import type { ChildProcess } from 'node:child_process';
import type { Request, Response } from 'express';
import type { Viewer } from '../core/access/viewer.js';
import { collectStderr } from '../git/git-process.js';
import { GitHttpError } from './git-http-error.js';
import type { GitTarget } from './git-target.js';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** A service that may be used on a repository. */
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
export function sendOutput(child: ChildProcess, response: Response): void {
  child.stdout?.pipe(response, { end: false });
  response.once('close', () => {
    child.stdout?.unpipe(response);
    child.stdout?.resume();
  });
}

/** Resolves when the process is over and its output read; rejects when it could not start. */
export function exited(child: ChildProcess): Promise<GitExit> {
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
 * Throws when the client has left. To be called right before a process is started: its end would
 * never be noticed later.
 */
export function assertConnected(response: Response): void {
  if (response.destroyed) throw new ClientGoneError();
}

/** Thrown when the client has disconnected. */
export class ClientGoneError extends Error {}
