import { setTimeout as delay } from 'node:timers/promises';
import {
  makeIntegration,
  type MadeIntegration,
  setAlertSettings,
} from '../../support/alert-factories.js';
import { unique } from '../../support/factories.js';
import type { GitSandbox } from '../../support/git.js';
import { isAnswered, WebhookPoster } from './alert-post.js';
import type { Fleet, FleetMember } from './fleet.js';
import { Pusher } from './pusher.js';
import { pause } from './storm.js';

/** Requests at a time. */
const WRITERS = 32;
/** Asked for; more than 200 are to be acknowledged. */
const WRITES_PER_SECOND = 240;
/** Writes of a round: of each kind so many. */
const ROUND = { alert: 56, label: 15, issue: 8, branch: 1 };
const PUSHERS = 3;
const PUSH_EVERY_MS = 1_000;

/** A row or ref that the service has acknowledged. */
export type Made =
  { issue: number } | { label: number } | { alert: string } | { branch: string; commit: string };

/** A request that the service has acknowledged; times are those of `Date.now()`. */
export interface AcknowledgedWrite {
  projectId: number;
  begunAt: number;
  endedAt: number;
  made: Made;
}

interface WriterProject {
  id: number;
  integration: MadeIntegration;
}

interface Write {
  to: { url: string; token: string };
  body: object;
  /** Returns what the answer says was made. */
  read(answer: unknown): Made;
}

/** Monitoring tools, people and pushers who write to all projects until they are stopped. */
export class BusyWriters {
  readonly acknowledged: AcknowledgedWrite[] = [];
  /** Answers that are neither an acknowledgement nor 503. */
  readonly oddities: string[] = [];
  private readonly poster = new WebhookPoster(WRITERS);
  private readonly loops: Promise<void>[];
  private readonly kinds = Object.entries(ROUND).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind as keyof typeof ROUND),
  );
  private isStopping = false;
  private count = 0;
  private nextAt = Date.now();

  private constructor(
    private readonly fleet: Fleet,
    private readonly projects: readonly WriterProject[],
    /** Each with the project that it pushes to. */
    readonly pushers: ReadonlyMap<Pusher, FleetMember>,
  ) {
    this.loops = Array.from({ length: WRITERS }, () => this.run());
  }

  static async start(fleet: Fleet, sandbox: GitSandbox): Promise<BusyWriters> {
    const members = fleet.members.filter(({ kind }) => kind === 'project');
    const projects: WriterProject[] = [];
    for (const member of members) {
      await setAlertSettings(fleet.stack, member, { createIssue: false, sendEmail: false });
      const place = { id: member.id, fullPath: await fleet.fullPath(member) };
      projects.push({ id: member.id, integration: await makeIntegration(fleet.stack, place) });
    }
    const pushers = new Map<Pusher, FleetMember>();
    for (const project of members.slice(0, PUSHERS)) {
      const url = await fleet.cloneUrl(project);
      const options = { sandbox, url, branch: `pushed-${project.id}`, everyMs: PUSH_EVERY_MS };
      pushers.set(await Pusher.start(options), project);
    }
    return new BusyWriters(fleet, projects, pushers);
  }

  /** Number of acknowledged requests and pushes. */
  get writes(): number {
    const pushes = [...this.pushers.keys()].map(({ accepted }) => accepted.length);
    return pushes.reduce((sum, count) => sum + count, this.acknowledged.length);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.loops, ...[...this.pushers.keys()].map((one) => one.stop())]);
    this.poster.close();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const kind = this.kinds[this.count % this.kinds.length] ?? 'alert';
      const project = this.projects[this.count % this.projects.length] as WriterProject;
      this.count += 1;
      await this.turn();
      await this.write(kind, project);
    }
  }

  /** Writes that were due while the service was away are left out. */
  private async turn(): Promise<void> {
    this.nextAt = Math.max(this.nextAt + 1000 / WRITES_PER_SECOND, Date.now() - 100);
    await delay(Math.max(0, this.nextAt - Date.now()));
  }

  private async write(kind: keyof typeof ROUND, project: WriterProject): Promise<void> {
    const { to, body, read } = this.writeOf(kind, project);
    const begunAt = Date.now();
    const answer = await this.poster.post(to, body);
    const endedAt = Date.now();
    if (!isAnswered(answer)) return pause();
    if (answer.status === 200 || answer.status === 201) {
      const made = read(answer.body);
      this.acknowledged.push({ projectId: project.id, begunAt, endedAt, made });
    } else if (answer.status !== 503) this.oddities.push(`${kind}: ${answer.status}`);
  }

  private writeOf(kind: keyof typeof ROUND, { id, integration }: WriterProject): Write {
    const { stack, admin } = this.fleet;
    const to = (path: string): Write['to'] => ({
      url: `${stack.url}/api/v4/projects/${id}/${path}`,
      token: admin.token,
    });
    const name = unique(kind);
    switch (kind) {
      case 'alert':
        return { to: integration, body: { title: name }, read: () => ({ alert: name }) };
      case 'label': {
        const body = { name, color: '#336699' };
        return { to: to('labels'), body, read: (made) => ({ label: idOf(made) }) };
      }
      case 'issue':
        return { to: to('issues'), body: { title: name }, read: (made) => ({ issue: idOf(made) }) };
      case 'branch': {
        const read = (made: unknown): Made => ({
          branch: name,
          commit: (made as { commit: { id: string } }).commit.id,
        });
        return { to: to('repository/branches'), body: { branch: name, ref: 'main' }, read };
      }
    }
  }
}

function idOf(answer: unknown): number {
  return (answer as { id: number }).id;
}
