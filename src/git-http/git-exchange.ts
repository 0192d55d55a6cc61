import type { ChildProcess } from 'node:child_process';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Viewer } from '../core/access/viewer.js';
import { collectStderr } from '../git/git-process.js';
import { GitRefusal } from './git-refusal.js';
import type { GitService } from './git-request.js';
import type { GitTarget } from './git-target.js';

/** One request of a Git client to one of the two services, already authorised. */
export interface GitExchange {
  request: Request;
  response: Response;
  service: GitService;
  target: GitTarget;
  viewer: Viewer | null;
  /** Where the repository is on disk. */
  path: string;
}

/** How a git process ended. */
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
 * The request's body as the client meant it: unpacked, and an error (400, 413) when it cannot be
 * or is larger than `maxBytes`.
 */
export function openBody(request: Request, maxBytes: number): Readable {
  const encoding = request.get('Content-Encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') {
    return maxBytes === Infinity ? request : request.pipe(limit(maxBytes));
  }
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new GitRefusal(415, 'The content encoding is not supported.');
  }
  const gunzip = createGunzip();
  const body = request.pipe(gunzip).pipe(limit(maxBytes));
  gunzip.on('error', () => body.destroy(new GitRefusal(400, 'The body is not valid gzip.')));
  return body;
}

function limit(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) return done(new GitRefusal(413, 'The request is too large.'));
      done(null, chunk);
    },
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
 * Ends the response of a process that is over. Nothing was sent when it failed before its first
 * byte: then the client gets a status; later only the content can tell it.
 */
export function endResponse(response: Response, exit: GitExit): void {
  if (response.headersSent || response.destroyed || exit.code === 0) {
    response.end();
    return;
  }
  throw isClientsFault(exit.stderr)
    ? new GitRefusal(400, 'Git could not understand the request.')
    : new Error(`git failed with ${exit.code ?? exit.signal}: ${exit.stderr}`);
}

/** What git says when it cannot parse a request; it has no exit code of its own for that. */
function isClientsFault(stderr: string): boolean {
  return /protocol error|hung up|unexpected|expected|bad |malformed|unknown/i.test(stderr);
}

/** One line of Git's wire format. */
export function packetLine(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
}
