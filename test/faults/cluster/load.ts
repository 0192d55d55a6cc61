import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { type MadeActor, unique } from '../../support/factories.js';

/** Longer than the proxy waits: a request without an answer has failed. */
const TIMEOUT_MS = 12_000;
const PAUSE_MS = 150;

interface Failure {
  at: number;
  kind: string;
}

/**
 * A client that creates an issue, looks for it, and commits a file, again and again, and remembers
 * what was acknowledged and when something failed.
 */
export class Client {
  readonly issues: string[] = [];
  readonly commits: string[] = [];
  readonly failures: Failure[] = [];
  /** Acknowledged issues that the client did not see right after. */
  readonly unseen: string[] = [];
  requests = 0;
  lastSuccess = 0;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly actor: MadeActor,
    readonly projectId: number,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Returns which acknowledged issues the database does not have. */
  async lostIssues(database: DataSource): Promise<string[]> {
    const rows = await database.query<{ title: string }[]>(
      'SELECT title FROM issues WHERE project_id = $1',
      [this.projectId],
    );
    const stored = new Set(rows.map(({ title }) => title));
    return this.issues.filter((title) => !stored.has(title));
  }

  /** Returns which acknowledged commits are not on the branch. */
  async lostCommits(): Promise<string[]> {
    const path = `/projects/${this.projectId}/repository/tree?per_page=100&pagination=keyset`;
    const names = new Set<string>();
    for (let next: string | null = `${this.url}/api/v4${path}`; next !== null;) {
      const response: Response = await fetch(next, { headers: this.headers });
      const page = (await response.json()) as { name: string }[];
      for (const { name } of page) names.add(name);
      next = /^<(http[^<>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
    }
    return this.commits.filter((name) => !names.has(name));
  }

  private get headers(): Record<string, string> {
    return { 'PRIVATE-TOKEN': this.actor.token, 'Content-Type': 'application/json' };
  }

  private async run(): Promise<void> {
    for (let round = 0; !this.isOver; round += 1) {
      await this.createIssue();
      if (round % 5 === 0) await this.commit();
      await delay(PAUSE_MS);
    }
  }

  private async createIssue(): Promise<void> {
    const title = unique('issue');
    if ((await this.send('POST', '/issues', { title })) === null) return;
    this.issues.push(title);
    const list = await this.send('GET', '/issues?per_page=5');
    const seen = (list as { title: string }[] | null)?.some((issue) => issue.title === title);
    if (seen === false) this.unseen.push(title);
  }

  private async commit(): Promise<void> {
    const name = unique('file');
    const commit = { branch: 'main', commit_message: name, content: name };
    const made = await this.send('POST', `/repository/files/${name}`, commit);
    if (made !== null) this.commits.push(name);
  }

  /** Returns null, and notes it, for everything but success. */
  private async send(method: string, path: string, body?: object): Promise<unknown> {
    this.requests += 1;
    try {
      const response = await fetch(`${this.url}/api/v4/projects/${this.projectId}${path}`, {
        method,
        headers: this.headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (response.ok) {
        const answer: unknown = await response.json();
        this.lastSuccess = Date.now();
        return answer;
      }
      this.fail(`${method} ${response.status}`);
    } catch (error) {
      this.fail(`${method} ${(error as Error).name}`);
    }
    return null;
  }

  private fail(kind: string): void {
    this.failures.push({ at: Date.now(), kind });
  }
}
