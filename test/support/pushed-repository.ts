import { StorageRegistry } from '../../src/git/storage-registry.js';
import type { TestApp } from './app.js';
import { makeGitSandbox, type GitSandbox } from './git.js';
import type { MadeProject } from './project-factories.js';

/** A work tree of a project's repository. */
export interface WorkTree {
  sandbox: GitSandbox;
  /** Runs git in the work tree. */
  git(...args: string[]): Promise<string>;
  /** Writes a file and commits it; answers the commit's id. */
  commit(file: string, content: string): Promise<string>;
  /** Brings all branches and tags into the project's repository, past the server. */
  push(): Promise<void>;
}

/** A clone of the repository of a project that was made with files. */
export async function cloneOf({ app }: TestApp, project: MadeProject): Promise<WorkTree> {
  const { storage, id } = project;
  const path = app.get(StorageRegistry).absolutePath({ storage, kind: 'project', containerId: id });
  const sandbox = await makeGitSandbox();
  await sandbox.run(['clone', '--quiet', path, 'work']);
  const git = (...args: string[]): Promise<string> => sandbox.run(args, 'work');
  return {
    sandbox,
    git,
    commit: (file, content) => sandbox.commit('work', file, content),
    push: async () => {
      await git('push', '--quiet', '--force', '--all', 'origin');
      await git('push', '--quiet', '--force', '--tags', 'origin');
    },
  };
}
