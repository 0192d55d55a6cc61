import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { api, type ApiClient } from '../../support/api-client.js';
import { unique } from '../../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../../support/git.js';
import type { Fleet } from './fleet.js';
import { Pusher } from './pusher.js';

const CLIENTS = 4;
/** A pace that leaves the processor to the processes that start. */
const PAUSE_MS = 25;

/** People who read, write, clone and push at one address, none of whom may notice anything. */
export class SteadyLoad {
  /** Everything that did not succeed. */
  readonly failures: string[] = [];
  requests = 0;
  clones = 0;
  private isStopping = false;
  private readonly loops: Promise<void>[];

  private constructor(
    private readonly client: ApiClient,
    private readonly projectId: number,
    private readonly git: { sandbox: GitSandbox; url: string; pusher: Pusher },
  ) {
    const clients = Array.from({ length: CLIENTS }, () => this.repeat(() => this.readAndWrite()));
    this.loops = [...clients, this.repeat(() => this.clone())];
  }

  /** `url` is the address that they know. */
  static async start(fleet: Fleet, url: string): Promise<SteadyLoad> {
    const [project] = fleet.members;
    if (project === undefined) throw new Error('the fleet is empty');
    const sandbox = await makeGitSandbox();
    const { host } = new URL(url);
    const gitUrl = Object.assign(new URL(await fleet.cloneUrl(project)), { host }).href;
    const pusher = await Pusher.start({ sandbox, url: gitUrl, branch: unique('steady') });
    const git = { sandbox, url: gitUrl, pusher };
    return new SteadyLoad(api(url, fleet.admin.token), project.id, git);
  }

  get pushes(): number {
    return this.git.pusher.accepted.length;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.loops, this.git.pusher.stop()]);
    this.failures.push(...this.git.pusher.oddities);
    await this.git.sandbox.remove();
  }

  private async repeat(round: () => Promise<void>): Promise<void> {
    while (!this.isStopping) {
      await round();
      await delay(PAUSE_MS);
    }
  }

  private async readAndWrite(): Promise<void> {
    const path = `/projects/${this.projectId}/issues`;
    for (const sent of [
      this.client.get(path),
      this.client.post(path, { title: unique('issue') }),
      this.client.get(`/projects/${this.projectId}/repository/tree?ref=main`),
    ]) {
      this.requests += 1;
      const answer = await sent.then(
        ({ status, text }) => (status < 300 ? null : `${status} ${text}`),
        String,
      );
      if (answer !== null) this.failures.push(answer);
    }
  }

  private async clone(): Promise<void> {
    const { sandbox, url } = this.git;
    const folder = unique('clone');
    const { code, stderr } = await sandbox.try(['clone', '--quiet', url, folder]);
    if (code === 0) this.clones += 1;
    else this.failures.push(stderr);
    await rm(join(sandbox.path, folder), { recursive: true, force: true });
  }
}
