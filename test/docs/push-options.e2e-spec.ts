import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';
import { Document, follows } from './document.js';

follows('docs/reference/push-options.md', 'sh');

let app: TestApp;
let sandbox: GitSandbox;
beforeAll(async () => {
  app = await sharedTestApp();
  sandbox = await makeGitSandbox();
});
afterAll(() => sandbox.remove());

describe('the reference of push options', () => {
  it('has an example that opens a merge request with a label', async () => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id, files: { 'a.txt': 'one\n' } });
    const { user, token, api } = await makeActor(app);
    await makeMember(app, { group, user, role: 'maintainer' });
    await api.post(`/projects/${project.id}/labels`, { name: 'bug', color: '#dc143c' }).expect(201);
    const { host } = new URL(app.url);
    const url = `http://git:${token}@${host}/${project.fullPath}.git`;
    await sandbox.run(['clone', '--quiet', url, 'work']);
    await sandbox.run(['switch', '--quiet', '-c', 'fix'], 'work');
    await sandbox.commit('work', 'a.txt', 'two\n');

    const command = new Document('docs/reference/push-options.md').named('sh');
    const [program, ...args] = command.trim().split(' ');
    expect(program).toBe('git');
    await sandbox.run(args, 'work');
    const { body } = await api.get(`/projects/${project.id}/merge_requests`).expect(200);
    expect(body).toEqual([
      expect.objectContaining({ source_branch: 'fix', target_branch: 'main', labels: ['bug'] }),
    ]);
  });
});
