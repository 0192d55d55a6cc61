import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { gitOutput, killGroup, spawnGit } from '../git/git-process.js';
import { repositoryKey } from '../git/repository-path.js';
import { advertiseRefs } from './advertise-refs.js';
import { IDLE_SECONDS, UPLOAD_PACK_CONFIG } from './git-commands.js';
import {
  endResponse,
  exited,
  type GitExchange,
  openBody,
  protocolEnvironment,
  setGitHeaders,
} from './git-exchange.js';
import { answerLsRefs, parseLsRefs } from './ls-refs.js';
import { ProcessSlots } from './process-slots.js';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_LS_REFS_BYTES = 64 * 1024;
const RESULT_TYPE = 'application/x-git-upload-pack-result';
const MAX_ADVERTISEMENTS = 100;

/** Clones and fetches: git's upload-pack between the repository and the client. */
@Injectable()
export class UploadPack {
  private readonly slots = new ProcessSlots({ perRepository: 20, total: 100 });
  /** Protocol 2 advertisements by the repository's configuration, which alone decides them. */
  private readonly advertisements = new Map<string, Promise<Buffer>>();

  /** Answers info/refs. In protocol 2 that lists no refs and so needs no process. */
  async advertise(exchange: GitExchange): Promise<void> {
    const { request, response, path } = exchange;
    if (!isVersion2(request)) {
      return this.inSlot(exchange, () => advertiseRefs(exchange, UPLOAD_PACK_CONFIG));
    }
    const capabilities = await this.capabilities(path);
    setGitHeaders(response, 'application/x-git-upload-pack-advertisement');
    response.end(capabilities);
  }

  /** Answers one request of a fetch. The client's leaving ends it at once. */
  async serve(exchange: GitExchange): Promise<void> {
    const { request, response, path } = exchange;
    const body = openBody(request, MAX_BODY_BYTES);
    const isShort = Number(request.get('Content-Length') ?? Infinity) <= MAX_LS_REFS_BYTES;
    if (!isShort || !isVersion2(request)) return this.inSlot(exchange, () => fetch(exchange, body));
    const bytes = await buffer(body);
    const asked = parseLsRefs(bytes);
    const answer = asked === null ? null : await answerLsRefs(path, asked);
    if (answer === null)
      return this.inSlot(exchange, () => fetch(exchange, Readable.from([bytes])));
    setGitHeaders(response, RESULT_TYPE);
    response.end(answer);
  }

  private async inSlot({ target }: GitExchange, work: () => Promise<void>): Promise<void> {
    const giveBack = this.slots.take(repositoryKey(target.kind, target.containerId));
    try {
      await work();
    } finally {
      giveBack();
    }
  }

  private async capabilities(path: string): Promise<Buffer> {
    const configuration = await readFile(join(path, 'config'), 'utf8');
    const known = this.advertisements.get(configuration);
    if (known !== undefined) return known;
    if (this.advertisements.size >= MAX_ADVERTISEMENTS) this.advertisements.clear();
    const args = ['upload-pack', '--stateless-rpc', '--http-backend-info-refs', '.'];
    const env = { GIT_PROTOCOL: 'version=2' };
    const answer = gitOutput(args, { cwd: path, env, config: UPLOAD_PACK_CONFIG });
    this.advertisements.set(configuration, answer);
    answer.catch(() => this.advertisements.delete(configuration));
    return answer;
  }
}

/** Lets git answer; the body goes in as it comes. */
async function fetch({ request, response, path }: GitExchange, body: Readable): Promise<void> {
  const args = ['upload-pack', '--stateless-rpc', '--strict', `--timeout=${IDLE_SECONDS}`, '.'];
  const env = protocolEnvironment(request);
  const child = spawnGit(args, { cwd: path, env, config: UPLOAD_PACK_CONFIG });
  let failure: Error | undefined;
  body.on('error', (error) => {
    failure = error;
    killGroup(child, 'SIGKILL');
  });
  response.once('close', () => killGroup(child, 'SIGKILL'));
  // git may have heard enough before the body ends.
  child.stdin?.on('error', () => body.resume());
  if (child.stdin !== null) body.pipe(child.stdin);
  setGitHeaders(response, RESULT_TYPE);
  child.stdout?.pipe(response, { end: false });
  const exit = await exited(child);
  if (failure !== undefined) throw failure;
  endResponse(response, exit);
}

function isVersion2(request: Request): boolean {
  return /(?:^|:)version=2(?:$|:)/.test(request.get('Git-Protocol') ?? '');
}
