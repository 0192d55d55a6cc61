import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { commitFiles } from '../../src/git/git-commit.js';
import { gitOutput } from '../../src/git/git-process.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeToken } from '../support/factories.js';
import { makePack, pushBody, SlowPush } from '../git-http/raw-push.js';
import { makeProject, openWrites, recordedUpdates } from '../git-http/world.js';
import { KillableWeb, recoverWrites } from './support/killable-web.js';

let app: OwnTestApp;
let web: KillableWeb;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => web.kill());

/** A push to `side`, begun: the web process holds its lease and waits for the rest. */
async function beginPush() {
  const project = await makeProject(app);
  const token = await makeToken(app, project.owner);
  const { oid: newOid, parent } = await commitFiles(project.directory, {
    branch: 'source',
    message: 'x',
    author: { name: 'Ada', email: 'ada@example.com', date: new Date() },
    changes: [{ path: 'a', content: 'a' }],
  });
  const pack = await makePack(project.directory, newOid, parent ?? newOid);
  const oldOid = '0'.repeat(40);
  const body = pushBody({ ref: 'refs/heads/side', oldOid, newOid, pack });
  const push = new SlowPush({ ...app, url: web.url }, project.fullPath, token);
  // All of the commands, nothing of the pack.
  const packAt = body.indexOf('PACK');
  push.write(body.subarray(0, packAt));
  await eventually(async () => (await openWrites(app)) === 1);
  const finish = (): void => {
    push.write(body.subarray(packAt));
    push.end();
  };
  return { project, finish };
}

async function hasSide(directory: string): Promise<boolean> {
  const refs = await gitOutput(['for-each-ref', 'refs/heads/side'], { cwd: directory });
  return refs.length > 0;
}

/** The events of pushes that the project shows. */
function toldOf({ id }: { id: number }): Promise<unknown[]> {
  return app.dataSource.query(
    `SELECT ref, commit_count AS count, commit_title AS title FROM events
     WHERE project_id = $1 AND push_action IS NOT NULL ORDER BY id`,
    [id],
  );
}

describe('a web process killed during a push', () => {
  it('before it gave consent: no ref changes and nothing is recorded', async () => {
    web = await KillableWeb.start(app);
    const { project, finish } = await beginPush();
    await web.killAt({ sql: 'SELECT 1 FROM inflight_writes FOR UPDATE' }, finish);
    await recoverWrites(app);
    expect(await hasSide(project.directory)).toBe(false);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
    expect(await toldOf(project)).toEqual([]);
  });

  it('after the refs changed: the push is found and recorded exactly once, with its event', async () => {
    web = await KillableWeb.start(app);
    const { project, finish } = await beginPush();
    // Recording ends with this row; until then nothing of it is committed.
    const sql = 'SELECT 1 FROM projects WHERE id = $1 FOR UPDATE';
    await web.killAt({ sql, values: [project.id] }, finish);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
    expect(await toldOf(project)).toEqual([]);
    await recoverWrites(app);
    expect(await hasSide(project.directory)).toBe(true);
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
    expect(await toldOf(project)).toEqual([{ ref: 'side', count: 1, title: 'x' }]);
  });
});
