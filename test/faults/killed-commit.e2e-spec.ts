import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeWritingWorld, updatesOf, type WritingWorld } from '../code/writing-world.js';
import { openWrites } from '../git-http/world.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { KillableWeb, recoverWrites } from './support/killable-web.js';

const GATE = 4242;

let app: OwnTestApp;
let web: KillableWeb;
let world: WritingWorld;
let tip: string;
beforeAll(async () => {
  app = await startTestApp();
  // The last word before a branch moves is put into the row of its lease.
  await app.dataSource.query(`
    CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER gate BEFORE UPDATE OF commands ON inflight_writes
      FOR EACH ROW EXECUTE FUNCTION pass_gate();`);
});
afterAll(() => app.close());
beforeEach(async () => {
  [web, world] = await Promise.all([KillableWeb.start(app), makeWritingWorld(app)]);
  tip = world.git('rev-parse', 'main');
});
afterEach(() => web.kill());

/** Commits through the process that will be killed; ignores the response. */
function commit(): void {
  const body = {
    branch: 'main',
    commit_message: 'Last words',
    actions: [{ action: 'create', file_path: 'deep/last.txt', content: 'x' }],
  };
  void fetch(`${web.url}/api/v4${world.base}/commits`, {
    method: 'POST',
    headers: { 'private-token': world.owner.token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}

function pushEvents(): Promise<unknown[]> {
  return app.dataSource.query(
    'SELECT commit_from, commit_to, commit_count FROM events WHERE project_id = $1 AND action = 5',
    [world.projectId],
  );
}

describe('a web process killed during a commit over the API', () => {
  it('before the branch moved: nothing has happened, and the next one goes on', async () => {
    await web.killAt({ sql: `SELECT pg_advisory_xact_lock(${GATE})` }, commit);
    await recoverWrites(app);
    expect(world.git('rev-parse', 'main')).toBe(tip);
    expect(await updatesOf(app, world.projectId)).toEqual([]);
    const actions = [{ action: 'create', file_path: 'deep/last.txt', content: 'y' }];
    await world.commit({ actions }).expect(201);
  });

  it('after the branch moved: the commit and its event are on record, once', async () => {
    const sql = 'SELECT 1 FROM projects WHERE id = $1 FOR UPDATE';
    await web.killAt({ sql, values: [world.projectId] }, commit);
    expect(world.git('show', 'main:deep/last.txt')).toBe('x');
    expect(await updatesOf(app, world.projectId)).toEqual([]);
    await recoverWrites(app);
    const newOid = world.git('rev-parse', 'main');
    expect(await updatesOf(app, world.projectId)).toEqual([
      { ref: 'refs/heads/main', oldOid: tip, newOid, userId: world.owner.user.id },
    ]);
    expect(await pushEvents()).toEqual([{ commit_from: tip, commit_to: newOid, commit_count: 1 }]);
    await recoverWrites(app);
    expect(await openWrites(app)).toBe(0);
    world.git('fsck', '--full', '--strict');
  });
});
