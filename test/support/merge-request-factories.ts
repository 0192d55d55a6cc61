import { expect } from '@jest/globals';
import { commitToBranch, FILE_MODE } from '../../src/git/git-commit.js';
import { gitOutput } from '../../src/git/git-process.js';
import { updateReferences } from '../../src/git/reference-updates.js';
import { branchTips } from '../../src/git/reference-reader.js';
import { RepositoryWriter } from '../../src/git/repository-writer.service.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import type { ApiClient } from './api-client.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';
import type { MadeProject } from './project-factories.js';

const ZERO = '0'.repeat(40);

/** A commit on a branch, recorded like a push of that user. */
export interface NewCommit {
  branch: string;
  user: { id: number };
  /** Content by path; null removes the file. */
  files: Record<string, string | null>;
  message?: string;
  /** Branch or commit to begin at, where the branch is to be made or moved to. */
  from?: string | null;
}

export interface MergeRequestBody {
  id: number;
  iid: number;
  title: string;
  state: string;
  sha: string;
  merge_status: string;
  detailed_merge_status: string;
  merge_commit_sha: string | null;
  updated_at: string;
  [key: string]: unknown;
}

/** Where the project's repository is. */
export function repositoryPath({ app }: Pick<TestApp, 'app'>, project: MadeProject): string {
  const { id: containerId, storage } = project;
  return app.get(StorageRegistry).absolutePath({ storage, kind: 'project', containerId });
}

/** Output of git in the project's repository, trimmed. */
export async function gitIn(
  app: Pick<TestApp, 'app'>,
  project: MadeProject,
  args: readonly string[],
): Promise<string> {
  return (await gitOutput(args, { cwd: repositoryPath(app, project) })).toString('utf8').trim();
}

/** Tip of a branch; null when there is none. */
export async function tipOf(
  app: Pick<TestApp, 'app'>,
  project: MadeProject,
  branch: string,
): Promise<string | null> {
  return (await branchTips(repositoryPath(app, project), [branch])).get(branch) ?? null;
}

/** Makes a commit over the house's own writer; answers its id. */
export async function commitOn(
  app: Pick<TestApp, 'app'>,
  project: MadeProject,
  { branch, user, files, message = 'Change', from }: NewCommit,
): Promise<string> {
  const author = { name: 'Test Author', email: 'author@example.com', date: new Date() };
  const start = from ? ((await tipOf(app, project, from)) ?? from) : from;
  const request = { kind: 'project', containerId: project.id, userId: user.id } as const;
  let oid = '';
  await app.app.get(RepositoryWriter).write(request, async (open) => {
    const { command } = await commitToBranch(open.path, {
      branch,
      message,
      author,
      ...(start !== undefined && { startFrom: () => Promise.resolve(start) }),
      edit: async ({ tree, writer }) => {
        for (const [path, content] of Object.entries(files)) {
          if (content === null) await tree.remove(path);
          else
            await tree.put(path, {
              mode: FILE_MODE,
              oid: writer.add('blob', Buffer.from(content)),
            });
        }
      },
      confirm: (one) => open.confirm([one]),
    });
    oid = command.newOid;
    return [command];
  });
  return oid;
}

/** Moves branches as one push would; `null` deletes. */
export async function moveBranches(
  { app }: Pick<TestApp, 'app'>,
  project: MadeProject,
  { user, branches }: { user: { id: number }; branches: Record<string, string | null> },
): Promise<void> {
  const request = { kind: 'project', containerId: project.id, userId: user.id } as const;
  await app.get(RepositoryWriter).write(request, async (open) => {
    const tips = await branchTips(open.path, Object.keys(branches));
    const commands = Object.entries(branches).map(([name, oid]) => ({
      ref: `refs/heads/${name}`,
      oldOid: tips.get(name) ?? ZERO,
      newOid: oid ?? ZERO,
    }));
    await open.confirm(commands);
    await updateReferences(open.path, commands);
    return commands;
  });
}

/** A merge request made over the API by the client's user. */
export async function openMergeRequest(
  client: ApiClient,
  { id }: { id: number },
  body: Record<string, unknown>,
): Promise<MergeRequestBody> {
  const given = { title: unique('Change '), target_branch: 'main', ...body };
  const response = await client.post(`/projects/${id}/merge_requests`, given);
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  return response.body as MergeRequestBody;
}

/** Returns the system notes of the merge request, oldest first. */
export async function mergeRequestNotes(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  id: number,
): Promise<string[]> {
  const rows: { body: string }[] = await dataSource.query(
    'SELECT body FROM notes WHERE merge_request_id = $1 AND system ORDER BY id',
    [id],
  );
  return rows.map(({ body }) => body);
}

/** Actions and authors of the events about the merge request, oldest first. */
export async function mergeRequestEvents(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  id: number,
): Promise<{ action: number; author_id: number }[]> {
  return dataSource.query(
    'SELECT action, author_id FROM events WHERE target_type = 2 AND target_id = $1 ORDER BY id',
    [id],
  );
}
