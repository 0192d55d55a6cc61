import { setTimeout as delay } from 'node:timers/promises';
import { unique } from '../../support/factories.js';
import type { GitSandbox } from '../../support/git.js';
import { isAnswer, outcomeOf } from './cut-off.js';
import type { Fleet, FleetMember } from './fleet.js';
import { Pusher } from './pusher.js';
import { pause } from './storm.js';

/** Writes over the API at a time. */
const WRITERS = 16;
const WRITES_PER_SECOND = 200;
/** One of so many writes over the API creates a branch, the others an issue. */
const BRANCH_EVERY = 10;
const PUSHERS = 3;

/** A write over the API that the service has acknowledged; times are those of `Date.now()`. */
export interface AcknowledgedWrite {
  projectId: number;
  begunAt: number;
  endedAt: number;
  made: { issue: number } | { branch: string; commit: string };
}

/** People who create issues and branches and push commits until they are stopped. */
export class BusyWriters {
  readonly acknowledged: AcknowledgedWrite[] = [];
  /** Answers that are neither an acknowledgement nor 503. */
  readonly oddities: string[] = [];
  private readonly startedAt = Date.now();
  private readonly loops: Promise<void>[];
  private isStopping = false;
  private count = 0;

  private constructor(
    private readonly fleet: Fleet,
    private readonly projects: readonly FleetMember[],
    /** Each with the project that it pushes to. */
    readonly pushers: ReadonlyMap<Pusher, FleetMember>,
  ) {
    this.loops = Array.from({ length: WRITERS }, () => this.run());
  }

  static async start(fleet: Fleet, sandbox: GitSandbox): Promise<BusyWriters> {
    const projects = fleet.members.filter(({ kind }) => kind === 'project');
    const pushers = new Map<Pusher, FleetMember>();
    for (const project of projects.slice(0, PUSHERS)) {
      const url = await fleet.cloneUrl(project);
      pushers.set(await Pusher.start({ sandbox, url, branch: `pushed-${project.id}` }), project);
    }
    return new BusyWriters(fleet, projects, pushers);
  }

  /** Number of acknowledged writes over the API and pushes. */
  get writes(): number {
    const pushes = [...this.pushers.keys()].map(({ accepted }) => accepted.length);
    return pushes.reduce((sum, count) => sum + count, this.acknowledged.length);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.loops, ...[...this.pushers.keys()].map((one) => one.stop())]);
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.count += 1;
      const number = this.count;
      const dueAt = this.startedAt + (number * 1000) / WRITES_PER_SECOND;
      await delay(Math.max(0, dueAt - Date.now()));
      const { id = 0 } = this.projects[number % this.projects.length] ?? {};
      if (number % BRANCH_EVERY === 0) await this.createBranch(id);
      else await this.createIssue(id);
    }
  }

  private async createIssue(projectId: number): Promise<void> {
    const body = await this.post(projectId, { path: 'issues', body: { title: unique('issue') } });
    if (body === null) return;
    const made = { issue: (body.answer as { id: number }).id };
    this.acknowledged.push({ projectId, ...body.times, made });
  }

  private async createBranch(projectId: number): Promise<void> {
    const branch = unique('branch');
    const path = 'repository/branches';
    const body = await this.post(projectId, { path, body: { branch, ref: 'main' } });
    if (body === null) return;
    const { commit } = body.answer as { commit: { id: string } };
    this.acknowledged.push({ projectId, ...body.times, made: { branch, commit: commit.id } });
  }

  /** Returns null for what the service has not acknowledged. */
  private async post(
    projectId: number,
    { path, body }: { path: string; body: object },
  ): Promise<{ answer: unknown; times: { begunAt: number; endedAt: number } } | null> {
    const begunAt = Date.now();
    const outcome = await outcomeOf(
      this.fleet.admin.api.post(`/projects/${projectId}/${path}`, body),
    );
    const endedAt = Date.now();
    if (isAnswer(outcome) && outcome.status === 201) {
      return { answer: outcome.body, times: { begunAt, endedAt } };
    }
    if (!isAnswer(outcome)) await pause();
    else if (outcome.status !== 503) this.oddities.push(`${path}: ${outcome.status}`);
    return null;
  }
}
