import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { relativeRepositoryPath, type RepositoryKind } from '../../src/git/repository-path.js';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { Namespace } from '../../src/identity/users/namespace.entity.js';
import type { TestApp } from './app.js';
import { runCommand } from './command.js';
import { unique, type MadeUser } from './factories.js';

type Place = Pick<TestApp, 'dataSource' | 'config'>;

export interface MadeRepository {
  kind: RepositoryKind;
  containerId: number;
}

/** Absolute path of a repository on a storage of the test, whether or not it is there. */
export function repositoryPath(app: Place, storage: string, repository: MadeRepository): string {
  const root = app.config.storages[storage]?.path ?? '';
  return join(root, relativeRepositoryPath(repository.kind, repository.containerId));
}

/** A bare repository with branches `main` and `other` and the tag `v1`, made in one git run. */
export async function makeRepository(
  app: Place,
  repository: MadeRepository,
  { storage = 'default', content = 'hello' }: { storage?: string; content?: string } = {},
): Promise<string> {
  const path = repositoryPath(app, storage, repository);
  await mkdir(dirname(path), { recursive: true });
  await git(['init', '--quiet', '--bare', '--initial-branch=main', '--template=', path]);
  await git(['-C', path, 'fast-import', '--quiet'], importStream(content));
  return path;
}

function importStream(content: string): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commit = (branch: string, text: string): string =>
    `commit refs/heads/${branch}\ncommitter A <a@example.com> 1700000000 +0000\n` +
    `${data(`Commit on ${branch}`)}M 100644 inline file.txt\n${data(text)}\n`;
  return `${commit('main', content)}${commit('other', `other ${content}`)}reset refs/tags/v1\nfrom refs/heads/main\n\n`;
}

/** Runs git with nothing of the machine's settings; throws with its complaint. */
export async function git(args: readonly string[], input = ''): Promise<string> {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' };
  const script = `printf '%s' "$GIT_INPUT" | git "$@"`;
  const { code, stdout, stderr } = await runCommand('sh', ['-c', script, 'git', ...args], {
    env: { ...env, GIT_INPUT: input },
  });
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

/** Refs and HEAD of a repository, for comparing before and after. */
export async function referencesOf(path: string): Promise<string> {
  const refs = await git(['-C', path, 'for-each-ref']);
  return `${refs}\n${await git(['-C', path, 'symbolic-ref', 'HEAD'])}`;
}

/** A project of the user with a row only; `makeMovableProject` adds a repository. */
export async function makeProjectRow(
  { dataSource }: Place,
  user: MadeUser,
  attributes: Partial<Project> = {},
): Promise<Project> {
  const name = unique('project');
  const values = {
    namespaceId: user.namespaceId,
    name,
    path: name,
    repositoryStorage: 'default',
    creatorId: user.id,
    ...attributes,
  };
  const inserted = await dataSource.manager.insert(Project, values);
  const { id } = inserted.identifiers[0] as { id: number };
  return dataSource.manager.findOneByOrFail(Project, { id });
}

/** A project with a repository on its storage. */
export async function makeMovableProject(
  app: Place,
  user: MadeUser,
  attributes: Partial<Project> = {},
): Promise<Project> {
  const project = await makeProjectRow(app, user, { emptyRepo: false, ...attributes });
  const storage = project.repositoryStorage;
  await makeRepository(app, { kind: 'project', containerId: project.id }, { storage });
  return project;
}

/** A personal snippet with its repository. */
export async function makeMovableSnippet(app: Place, user: MadeUser): Promise<Snippet> {
  const inserted = await app.dataSource.manager.insert(Snippet, {
    authorId: user.id,
    title: unique('snippet'),
    repositoryStorage: 'default',
    hasRepository: true,
    filePaths: ['file.txt'],
  });
  const { id } = inserted.identifiers[0] as { id: number };
  await makeRepository(app, { kind: 'snippet', containerId: id });
  return app.dataSource.manager.findOneByOrFail(Snippet, { id });
}

/** A top-level group with a wiki repository. */
export async function makeMovableGroup(app: Place): Promise<{ id: number; path: string }> {
  const path = unique('group');
  const inserted = await app.dataSource.manager.insert(Namespace, {
    kind: 'group',
    name: path,
    path,
    fullPath: path,
    fullName: path,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  await app.dataSource.manager.update(Namespace, { id }, { traversalIds: [id] });
  await app.dataSource.manager.insert(Group, { id, repositoryStorage: 'default' });
  await makeRepository(app, { kind: 'group-wiki', containerId: id });
  return { id, path };
}
