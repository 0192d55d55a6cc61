import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { bareRepositoryExists } from '../../git/git-repository.js';
import { type ForkedProcess, killGroup } from '../../git/forked-process.js';
import { gitOutput, startGit } from '../../git/git-process.js';
import {
  advertiseRefs,
  assertConnected,
  countReceived,
  endResponse,
  endWithClient,
  exited,
  type GitExchange,
  protocolEnvironment,
  sendOutput,
  setGitHeaders,
  IDLE_SECONDS,
  UPLOAD_PACK_CONFIG,
} from './git-exchange.js';
import { answerLsRefs, parseLsRefs } from './ls-refs.js';
import { CLIENT_LIMITS, GitProcessLimits } from './git-process-limits.js';
import { endAfter, openBody, readStart } from './request-body.js';
import { packetLength } from './packet-lines.js';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Read before a process is started: the whole of nearly every request. */
const START_BYTES = 256 * 1024;
/** Limit for a complete request, which is small: a partial one would hold a git process. */
const BODY_SECONDS = 60;
const RESULT_TYPE = 'application/x-git-upload-pack-result';
const MAX_ADVERTISEMENTS = 100;

/** Clones and fetches: git's upload-pack between the repository and the client. */
@Injectable()
export class UploadPack {
  private readonly processes = new GitProcessLimits(CLIENT_LIMITS);
  /** Protocol 2 advertisements by the repository's configuration, which alone decides them. */
  private readonly advertisements = new LRUCache<string, Promise<Buffer>>({
    max: MAX_ADVERTISEMENTS,
  });

  /** Answers info/refs. In protocol 2 that lists no refs and so needs no process. */
  async advertise(exchange: GitExchange): Promise<void> {
    const { request, response, path } = exchange;
    if (!isVersion2(request)) {
      return this.inProcess(exchange, () => advertiseRefs(exchange, UPLOAD_PACK_CONFIG));
    }
    const capabilities = await this.capabilities(path);
    setGitHeaders(response, 'application/x-git-upload-pack-advertisement');
    response.end(capabilities);
  }

  /** Answers one request of a fetch. Stops when the client disconnects. */
  async serve(exchange: GitExchange): Promise<void> {
    const body = openBody(exchange.request, MAX_BODY_BYTES);
    countReceived(exchange);
    endAfter(body, exchange.request, BODY_SECONDS * 1000);
    let size = 0;
    const bytes = await readStart(body, (chunk) => (size += chunk.length) > START_BYTES);
    const start = { bytes, isWhole: size <= START_BYTES };
    try {
      await this.answer(exchange, start, body);
    } catch (error) {
      const isGone = start.isWhole && !exchange.response.headersSent;
      if (!isGone || (await bareRepositoryExists(exchange.path))) throw error;
      // A move took it away after it was found: while the client sent its request, at the longest.
      await this.answer({ ...exchange, ...(await exchange.renew()) }, start, body);
    }
  }

  private async answer(exchange: GitExchange, start: RequestStart, body: Readable): Promise<void> {
    const answer = await answerAlone(exchange, start);
    if (answer === null) return this.inProcess(exchange, () => fetch(exchange, start, body));
    setGitHeaders(exchange.response, RESULT_TYPE);
    exchange.response.end(answer);
  }

  private async inProcess(exchange: GitExchange, work: () => Promise<void>): Promise<void> {
    const release = this.processes.acquire(exchange);
    try {
      await work();
    } finally {
      release();
    }
  }

  private async capabilities(path: string): Promise<Buffer> {
    const configuration = await readFile(join(path, 'config'), 'utf8');
    const known = this.advertisements.get(configuration);
    if (known !== undefined) return known;
    const args = ['upload-pack', '--stateless-rpc', '--http-backend-info-refs', '.'];
    const env = { GIT_PROTOCOL: 'version=2' };
    const answer = gitOutput(args, { cwd: path, env, config: UPLOAD_PACK_CONFIG });
    this.advertisements.set(configuration, answer);
    answer.catch(() => this.advertisements.delete(configuration));
    return answer;
  }
}

/** Beginning of a request; `isWhole` = nothing follows. */
interface RequestStart {
  bytes: Buffer;
  isWhole: boolean;
}

/** The answer to what needs no process, or null. */
async function answerAlone(
  { request, path }: GitExchange,
  { bytes, isWhole }: RequestStart,
): Promise<Buffer | null> {
  const asked = isWhole && isVersion2(request) ? parseLsRefs(bytes) : null;
  return asked === null ? null : answerLsRefs(path, asked);
}

/** Lets git answer; what follows of the body goes in as it comes. */
async function fetch(
  { request, response, path }: GitExchange,
  { bytes, isWhole }: RequestStart,
  body: Readable,
): Promise<void> {
  assertConnected(response);
  const args = ['upload-pack', '--stateless-rpc', '--strict', `--timeout=${IDLE_SECONDS}`, '.'];
  const env = protocolEnvironment(request);
  const child = await startGit(args, { cwd: path, env, config: UPLOAD_PACK_CONFIG });
  endWithClient(child, response);
  // git may have heard enough before the body ends.
  child.stdin.on('error', () => body.resume());
  child.stdin.write(bytes);
  const failure = isWhole ? {} : feed(child, body);
  if (isWhole) child.stdin.end();
  setGitHeaders(response, RESULT_TYPE);
  sendOutput(child, response);
  const exit = await exited(child);
  if (failure.error !== undefined) throw failure.error;
  endResponse(response, exit, !isUploadRequest(bytes, isWhole));
}

/** Passes the rest of a body to git; the result shows later if the body was invalid. */
function feed(child: ForkedProcess, body: Readable): { error?: Error } {
  const failure: { error?: Error } = {};
  const fail = (error: Error): void => {
    failure.error = error;
    killGroup(child, 'SIGKILL');
  };
  if (body.errored) fail(body.errored);
  body.on('error', fail);
  body.pipe(child.stdin);
  return failure;
}

function isVersion2(request: Request): boolean {
  return /(?:^|:)version=2(?:$|:)/.test(request.get('Git-Protocol') ?? '');
}

const OBJECT_ID = '[0-9a-f]{40}';
const LINES = [
  // Protocols 0 and 1, and arguments of `fetch` in protocol 2.
  `(?:want|have) ${OBJECT_ID}(?:[ \\0].*)?`,
  `shallow ${OBJECT_ID}`,
  'deepen [1-9]\\d*',
  'deepen-since \\d+',
  'deepen-not .+',
  'deepen-relative|done|thin-pack|no-progress|include-tag|ofs-delta|sideband-all|wait-for-done',
  'filter (?:blob:none|blob:limit=\\d+[kmg]?|tree:\\d+|object:type=\\w+)',
  // Protocol 2.
  'command=(?:ls-refs|fetch)',
  '(?:agent|session-id|server-option)=.*',
  'object-format=sha1',
  'peel|symrefs|unborn',
  'ref-prefix .+',
];
const KNOWN_LINE = new RegExp(`^(?:${LINES.join('|')})\\n?$`, 's');

/**
 * Returns true if git must be able to answer this beginning of a request to upload-pack. After a
 * failure that distinguishes invalid requests from server errors, for which git has no exit code.
 */
function isUploadRequest(bytes: Buffer, isWhole: boolean): boolean {
  let offset = 0;
  while (offset < bytes.length) {
    const length = packetLength(bytes, offset);
    if (length === null || offset + length > bytes.length) return !isWhole;
    if (Number.isNaN(length)) return false;
    const line = bytes.toString('latin1', offset + 4, offset + Math.max(length, 4));
    if (length > 2 && !KNOWN_LINE.test(line)) return false;
    offset += Math.max(length, 4);
  }
  return offset > 0;
}
