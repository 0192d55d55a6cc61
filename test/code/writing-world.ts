import { execFileSync } from 'node:child_process';
import type { Test } from 'supertest';
import { gitEnvironment } from '../../src/git/git-process.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import type { Role } from '../../src/identity/members/roles.js';
import type { TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeMemberOf, makeProject } from '../support/project-factories.js';

/** A change of a ref as it is on record. */
export interface RecordedUpdate {
  ref: string;
  oldOid: string;
  newOid: string;
  userId: number;
}

type ProjectOptions = Parameters<typeof makeProject>[1];

/** A project to write to, and its repository on the disk. */
export interface WritingWorld {
  owner: MadeActor;
  projectId: number;
  /** Path of the API below which the repository is. */
  base: string;
  /** Returns the output of git in the repository, without the line end. */
  git(...args: string[]): string;
  /** Adds entries (lines of `git ls-tree`) to the root of `main`, as only a push brings them. */
  addEntries(...lines: string[]): void;
  /** Someone new with that role. */
  member(role: Role): Promise<MadeActor>;
  /** `POST commits` to `main` by the owner; `body` overrides both. */
  commit(body: object, actor?: MadeActor): Test;
  /** The files of a branch. */
  files(branch?: string): string[];
}

/** A project with `README.md` and `src/a.txt` on `main`. */
export async function makeWritingWorld(
  app: TestApp,
  options: Partial<ProjectOptions> = {},
): Promise<WritingWorld> {
  const owner = await makeActor(app);
  const project = await makeProject(app, {
    namespaceId: owner.user.namespaceId,
    files: { 'README.md': '# Hello\n', 'src/a.txt': 'a\n' },
    ...options,
  });
  const { id: projectId, storage } = project;
  const address = { storage, kind: 'project', containerId: projectId } as const;
  const path = app.app.get(StorageRegistry).absolutePath(address);
  const base = `/projects/${projectId}/repository`;
  const run = (args: string[], input?: string): string => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const all = ['-C', path, ...identity, ...args];
    const options = { encoding: 'utf8', env: gitEnvironment(), input } as const;
    return execFileSync('git', all, options).trimEnd();
  };
  const git = (...args: string[]): string => run(args);
  const addEntries = (...lines: string[]): void => {
    const tree = run(['mktree', '--missing'], [git('ls-tree', 'main'), ...lines].join('\n'));
    git('update-ref', 'refs/heads/main', git('commit-tree', '-p', 'main', '-m', 'x', tree));
  };
  return {
    owner,
    projectId,
    base,
    git,
    addEntries,
    member: (role) => makeMemberOf(app, project, role),
    commit: (body, actor = owner) =>
      actor.api.post(`${base}/commits`, { branch: 'main', commit_message: 'Change', ...body }),
    files: (branch = 'main') => git('ls-tree', '-r', '--name-only', branch).split('\n'),
  };
}

/** Returns the recorded ref updates of a project, in its order. */
export function updatesOf(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  projectId: number,
): Promise<RecordedUpdate[]> {
  return dataSource.query<RecordedUpdate[]>(
    `SELECT ref, old_oid AS "oldOid", new_oid AS "newOid", user_id AS "userId" FROM ref_updates
     WHERE repository_kind = 'project' AND container_id = $1 ORDER BY id`,
    [projectId],
  );
}
