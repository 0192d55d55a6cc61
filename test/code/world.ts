import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import type { TestApp } from '../support/app.js';
import { publishClone } from '../support/code-factories.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

/** A project with a history that has everything the reading API can show. */
export interface CodeWorld {
  owner: MadeActor;
  project: MadeProject;
  /** Path of the API below which the repository is. */
  base: string;
  /** Commits: the first one, the one on `feature/x`, and the newest of `main`. */
  first: string;
  topic: string;
  latest: string;
  sandbox: GitSandbox;
}

/** Puts the project with its history into the app; remove the sandbox when the file ends. */
export async function makeCodeWorld(
  app: TestApp,
  visibility: VisibilityName = 'private',
): Promise<CodeWorld> {
  const sandbox = await makeGitSandbox();
  const work = (path: string): string => join(sandbox.path, 'work', path);
  await sandbox.run(['init', '-q', 'work']);
  await mkdir(work('src'));
  await writeFile(work('logo'), Buffer.from('89504e470d0a1a0a00', 'hex'));
  await writeFile(work('src/ä b.txt'), 'one\ntwo\n');
  await sandbox.commit('work', 'README.md', '# Hello\n');
  await sandbox.run(['add', '.'], 'work');
  await sandbox.run(['commit', '-q', '--amend', '-m', 'Start\n\nReviewed-by: Ada <a@x>'], 'work');
  await sandbox.run(['tag', 'v1.2'], 'work');
  const first = await sandbox.run(['rev-parse', 'HEAD'], 'work');
  await sandbox.run(['checkout', '-q', '-b', 'feature/x'], 'work');
  const topic = await sandbox.commit('work', 'topic.txt', 'topic\n');
  await sandbox.run(['checkout', '-q', 'main'], 'work');
  await writeFile(work('run.sh'), '', { mode: 0o755 });
  const latest = await sandbox.commit('work', 'run.sh', '#!/bin/sh\n');
  await sandbox.run(['tag', '-a', 'v1.10', '-m', 'Ten'], 'work');
  await sandbox.run(['branch', 'done', 'v1.2'], 'work');
  const owner = await makeActor(app);
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility, emptyRepo: false });
  await publishClone(app, sandbox, { directory: 'work', projectId: project.id });
  const base = `/projects/${project.id}/repository`;
  return { owner, project, base, first, topic, latest, sandbox };
}
