import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { relativeRepositoryPath, type RepositoryKind } from '../../../src/git/repository-path.js';
import { Group } from '../../../src/workspace/groups/group.entity.js';
import { Snippet } from '../../../src/workspace/snippets/snippet.entity.js';
import { MOVE_KIND_DESCRIPTIONS, type MoveKind } from '../../../src/storage-moves/move-kinds.js';
import { Namespace } from '../../../src/identity/users/namespace.entity.js';
import { type MadeActor, unique } from '../../support/factories.js';
import { makeProjectRow } from '../../support/storage-move-factories.js';
import { damage, fingerprint, makeTemplate, placeCopy } from './content.js';
import type { FaultStack } from './stack.js';

export interface FleetMember {
  kind: MoveKind;
  id: number;
  repositories: RepositoryKind[];
  /** Expected content of each of its repositories at any time. */
  expected: string;
  /** Where it stays because it cannot be moved; the fleet's home unless given. */
  staysAt?: string;
}

interface ScheduleOptions {
  bulk?: boolean;
  only?: FleetMember;
}

const PLURAL: Record<MoveKind, string> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'groups',
};

/** Containers of every kind with repositories, which are moved to and fro together. */
export class Fleet {
  readonly members: FleetMember[] = [];
  /** Where they are when no move is under way. */
  home = 'default';
  private template = '';
  private expected = '';

  private constructor(
    readonly stack: FaultStack,
    readonly admin: MadeActor,
  ) {}

  /** Two projects or more, one of them with a wiki, a snippet and a group with a wiki. */
  static async make(stack: FaultStack, projects = 2): Promise<Fleet> {
    const fleet = new Fleet(stack, await stack.makeAdmin());
    fleet.template = join(stack.folder, `${unique('template-')}.git`);
    await makeTemplate(fleet.template);
    fleet.expected = await fingerprint(fleet.template);
    await fleet.addProject(['project', 'wiki']);
    for (let count = 1; count < projects; count += 1) await fleet.addProject(['project']);
    await fleet.addSnippet();
    await fleet.addGroup();
    return fleet;
  }

  get away(): string {
    return this.home === 'default' ? 'storage2' : 'default';
  }

  async addProject(repositories: RepositoryKind[], storage = this.home): Promise<FleetMember> {
    const attributes = { emptyRepo: false, repositoryStorage: storage };
    const { id } = await makeProjectRow(this.stack, this.admin.user, attributes);
    const place = storage === this.home ? {} : { staysAt: storage };
    return this.add({ kind: 'project', id, repositories, ...place });
  }

  /** The moves of all members, asked for one by one; or, in bulk, of all that is on the storage. */
  async schedule({ bulk = false, only }: ScheduleOptions = {}): Promise<void> {
    const body = { destination_storage_name: this.away };
    for (const kind of Object.keys(PLURAL) as MoveKind[]) {
      if (!bulk) continue;
      const path = `/${kind}_repository_storage_moves`;
      await this.admin.api.post(path, { ...body, source_storage_name: this.home }).expect(202);
    }
    for (const { kind, id } of bulk ? [] : only === undefined ? this.members : [only]) {
      await this.admin.api
        .post(`/${PLURAL[kind]}/${id}/repository_storage_moves`, body)
        .expect(201);
    }
  }

  path(storage: string, kind: RepositoryKind, containerId: number): string {
    return join(this.stack.root(storage), relativeRepositoryPath(kind, containerId));
  }

  async fullPath({ id }: FleetMember): Promise<string> {
    const [row] = await this.stack.rows<{ path: string }>(
      `SELECT n.full_path || '/' || p.path AS path FROM projects p
       JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $1`,
      [id],
    );
    return row?.path ?? '';
  }

  /** Address of a project's repository over HTTP, credentials included. */
  async cloneUrl(member: FleetMember): Promise<string> {
    const url = new URL(`${this.stack.url}/${await this.fullPath(member)}.git`);
    return Object.assign(url, { username: 'oauth2', password: this.admin.token }).href;
  }

  homeOf({ staysAt = this.home }: FleetMember): string {
    return staysAt;
  }

  /** A project with a damaged repository, whose move must fail. */
  async addDamaged(): Promise<FleetMember> {
    const member = await this.addProject(['project']);
    const path = this.path(this.home, 'project', member.id);
    await damage(path);
    member.expected = await fingerprint(path);
    member.staysAt = this.home;
    return member;
  }

  /** Puts a sound repository in the place of a damaged one. */
  async repair(member: FleetMember): Promise<void> {
    await placeCopy(this.template, this.path(this.homeOf(member), 'project', member.id));
    member.expected = this.expected;
    delete member.staysAt;
  }

  /** Takes a project and its repository away. */
  async remove(member: FleetMember): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    await rm(this.path(this.homeOf(member), 'project', member.id), { recursive: true });
    const { table } = MOVE_KIND_DESCRIPTIONS.project;
    await this.stack.rows(`DELETE FROM ${table} WHERE project_id = $1`, [member.id]);
    await this.stack.rows(`DELETE FROM projects WHERE id = $1`, [member.id]);
  }

  private async addSnippet(): Promise<void> {
    const inserted = await this.stack.dataSource.manager.insert(Snippet, {
      authorId: this.admin.user.id,
      title: unique('snippet'),
      repositoryStorage: this.home,
      hasRepository: true,
      filePaths: ['file.txt'],
    });
    const { id } = inserted.identifiers[0] as { id: number };
    await this.add({ kind: 'snippet', id, repositories: ['snippet'] });
  }

  private async addGroup(): Promise<void> {
    const { manager } = this.stack.dataSource;
    const path = unique('group');
    const names = { name: path, path, fullPath: path, fullName: path };
    const inserted = await manager.insert(Namespace, { kind: 'group', ...names });
    const { id } = inserted.identifiers[0] as { id: number };
    await manager.update(Namespace, { id }, { traversalIds: [id] });
    await manager.insert(Group, { id, repositoryStorage: this.home });
    await this.add({ kind: 'group', id, repositories: ['group-wiki'] });
  }

  private async add(made: Omit<FleetMember, 'expected'>): Promise<FleetMember> {
    const member = { ...made, expected: this.expected };
    for (const kind of member.repositories) {
      await placeCopy(this.template, this.path(this.homeOf(member), kind, member.id));
    }
    this.members.push(member);
    return member;
  }
}
