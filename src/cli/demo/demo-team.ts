import { readFileSync } from 'node:fs';
import { gitOutput } from '../../git/git-process.js';
import type { DemoClient, DemoInstance } from './instance.js';
import { parseHistory, writeRepository, type DemoCommit, type DemoRepository } from './history.js';
import { PEOPLE, personNamed, portraitOf } from './people.js';
import type { Timeline } from './timeline.js';

/** A project of the demo team with its history. */
export interface DemoProject {
  path: string;
  name: string;
  group: string;
  description: string;
  visibility: 'public' | 'internal' | 'private';
  topics: string[];
}

export const GROUPS = [
  { path: 'acme', name: 'Acme', parent: null, description: 'Everything that Acme builds and runs' },
  { path: 'web-shop', name: 'Web Shop', parent: 'acme', description: 'The shop and its services' },
  { path: 'platform', name: 'Platform', parent: 'acme', description: 'What all teams build on' },
] as const;

export const PROJECTS: readonly DemoProject[] = [
  project('acme/platform deploy Deploy', 'Production as code', 'internal kubernetes,yaml'),
  project('acme/platform payments Payments', 'Charges cards and accounts', 'internal go,payments'),
  project('acme handbook Handbook', 'How we work', 'public docs'),
  project(
    'acme/web-shop storefront Storefront',
    'Product pages of the web shop',
    'public javascript',
  ),
  project(
    'acme/web-shop checkout Checkout',
    'Turns carts into paid orders',
    'public typescript,fastify',
  ),
];

function project(names: string, description: string, facts: string): DemoProject {
  const [group = '', path = '', name = ''] = names.split(' ');
  const [visibility, topics = ''] = facts.split(' ');
  const described = { description, topics: topics.split(',') };
  return { group, path, name, visibility: visibility as DemoProject['visibility'], ...described };
}

/** The address of a demo project in paths of the API. */
export function projectPath(path: string): string {
  const { group } = projectNamed(path);
  return `/projects/${encodeURIComponent(`${group}/${path}`)}`;
}

export function projectNamed(path: string): DemoProject {
  const found = PROJECTS.find((one) => one.path === path);
  if (found === undefined) throw new Error(`no project ${path}`);
  return found;
}

/** The members of the demo team, their clients, and their repositories. */
export class DemoTeam {
  private readonly clients = new Map<string, DemoClient>();
  private readonly ids = new Map<string, number>();
  private readonly repositories = new Map<
    string,
    { commits: DemoCommit[]; repository: DemoRepository }
  >();

  constructor(
    private readonly instance: DemoInstance,
    readonly root: DemoClient,
  ) {
    this.clients.set('root', root);
  }

  /** The client of a member, who exists. */
  async as(username: string): Promise<DemoClient> {
    const known = this.clients.get(username);
    if (known !== undefined) return known;
    const client = await this.instance.clientOf(await this.idOf(username));
    this.clients.set(username, client);
    return client;
  }

  async idOf(username: string): Promise<number> {
    const known = this.ids.get(username);
    if (known !== undefined) return known;
    const [user] = await this.root.get<{ id: number }[]>(`/users?username=${username}`);
    if (user === undefined) throw new Error(`no user ${username}`);
    this.ids.set(username, user.id);
    return user.id;
  }

  /** Writes the repositories into temporary folders. */
  async prepare(base: Date): Promise<void> {
    for (const { path } of PROJECTS) {
      const file = new URL(`./repositories/${path}.txt`, import.meta.url);
      const commits = parseHistory(readFileSync(file, 'utf8'), base);
      this.repositories.set(path, {
        commits,
        repository: await writeRepository(commits, personNamed),
      });
    }
  }

  /** The commit at the tip of a branch. */
  tipOf(path: string, branch: string): string {
    const { commits, repository } = this.historyOf(path);
    const at = commits.findLastIndex((commit) => commit.branch === branch);
    return repository.oids[at] ?? '';
  }

  /** Commits on the main branch, newest first. */
  mainCommits(path: string): string[] {
    const { commits, repository } = this.historyOf(path);
    return repository.oids.filter((_, at) => commits[at]?.branch === 'main').reverse();
  }

  /** Adds people, groups, projects and pushes. */
  plan(timeline: Timeline): void {
    PEOPLE.forEach((person, at) => {
      timeline.add(80 - at / 10, async () => {
        const { username, name, email, job: jobTitle } = person;
        await this.root.post('/users', {
          username,
          name,
          email,
          job_title: jobTitle,
          organization: 'Acme',
          force_random_password: true,
          skip_confirmation: true,
        });
        const form = new FormData();
        const portrait = new Blob([portraitOf(person)], { type: 'image/png' });
        form.set('avatar', portrait, `${username}.png`);
        await (await this.as(username)).send('PUT', '/user/avatar', form);
      });
    });
    GROUPS.forEach((group, at) => timeline.add(75 - at / 10, () => this.createGroup(group)));
    for (const person of PEOPLE) {
      timeline.add(74, async () => {
        const membership = {
          user_id: await this.idOf(person.username),
          access_level: person.level,
        };
        await this.root.post('/groups/acme/members', membership);
      });
    }
    PROJECTS.forEach((one, at) => timeline.add(73 - at / 10, () => this.createProject(one)));
    for (const { path } of PROJECTS) this.planPushes(timeline, path);
  }

  private async createGroup({ path, name, parent, description }: (typeof GROUPS)[number]) {
    const above = parent === null ? null : await this.root.get(`/groups/${parent}`);
    await this.root.post('/groups', {
      path,
      name,
      description,
      visibility: 'public',
      // Nobody of the team can read emails.
      emails_enabled: false,
      ...(above !== null && { parent_id: above.id }),
    });
  }

  private async createProject({ group, ...attributes }: DemoProject): Promise<void> {
    const namespace = await this.root.get(`/groups/${encodeURIComponent(group)}`);
    await this.root.post('/projects', {
      ...attributes,
      default_branch: 'main',
      namespace_id: namespace.id,
    });
  }

  private planPushes(timeline: Timeline, path: string): void {
    const { commits, repository } = this.historyOf(path);
    commits.forEach(({ author, branch, date, tags }, at) => {
      const days = (timeline.base.getTime() - date.getTime()) / 86_400_000;
      const refs = [
        `${repository.oids[at]}:refs/heads/${branch}`,
        ...tags.map((tag) => `refs/tags/${tag}:refs/tags/${tag}`),
      ];
      timeline.add(days, () => this.push(path, { author, refs }));
    });
  }

  private async push(path: string, { author, refs }: { author: string; refs: string[] }) {
    const { group } = projectNamed(path);
    const client = await this.as(author);
    const credentials = Buffer.from(`${author}:${client.token}`).toString('base64');
    const url = `${client.url}/${group}/${path}.git`;
    await gitOutput(['push', '--quiet', url, ...refs], {
      cwd: this.historyOf(path).repository.path,
      env: {
        GIT_ALLOW_PROTOCOL: 'http',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.extraHeader',
        GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
      },
    });
  }

  private historyOf(path: string): { commits: DemoCommit[]; repository: DemoRepository } {
    const found = this.repositories.get(path);
    if (found === undefined) throw new Error(`no history of ${path}`);
    return found;
  }

  /** Revokes the tokens and removes the temporary folders. */
  async dissolve(): Promise<void> {
    for (const client of this.clients.values()) {
      await client.send('DELETE', '/personal_access_tokens/self').catch(() => undefined);
    }
    await Promise.all([...this.repositories.values()].map(({ repository }) => repository.remove()));
  }
}
