import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commitFiles } from '../../src/git/git-commit.js';
import { AbandonedWrites } from '../../src/git/abandoned-writes.service.js';
import { InflightWrite } from '../../src/git/inflight-writes.repository.js';
import type { RefCommand } from '../../src/git/reference-updates.js';
import { pushLockPrefix } from '../../src/git/push-lock.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { RepositoryReadOnlyError, WriteLeaseService } from '../../src/git/write-lease.service.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeProject, openWrites, recordedUpdates } from '../git-http/world.js';

const ZERO = '0'.repeat(40);

let app: OwnTestApp;
let leases: WriteLeaseService;
let abandonedWrites: AbandonedWrites;
beforeAll(async () => {
  app = await startTestApp();
  leases = app.app.get(WriteLeaseService, { strict: false });
  abandonedWrites = app.app.get(AbandonedWrites, { strict: false });
});
afterAll(() => app.close());
beforeEach(() => app.dataSource.query('DELETE FROM inflight_writes'));

function requestFor(containerId: number) {
  return { kind: 'project', containerId, userId: null } as const;
}

describe('a write lease', () => {
  it('is seen by movers while it is held and names the storage', async () => {
    const { id } = await makeProject(app);
    const lease = await leases.acquire(requestFor(id));
    expect(lease.storage).toBe('default');
    const [row] = await app.dataSource.manager.find(InflightWrite);
    expect(row).toMatchObject({ id: lease.id, repositoryKey: `project-${id}`, commands: null });
    await lease.release();
    expect(await openWrites(app)).toBe(0);
  });

  it('is not given during a move, and nothing stays behind', async () => {
    const { id } = await makeProject(app, { repositoryReadOnly: true });
    const refused = leases.run(requestFor(id), () => Promise.resolve('written'));
    await expect(refused).rejects.toThrow(RepositoryReadOnlyError);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      body: { message: 'The repository is temporarily read-only. Please try again later.' },
    });
    expect(await openWrites(app)).toBe(0);
  });

  it('is released when the work fails, and not given for what is gone', async () => {
    const { id } = await makeProject(app);
    const failing = leases.run(requestFor(id), () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(leases.acquire(requestFor(999_999))).rejects.toMatchObject({ status: 404 });
    expect(await openWrites(app)).toBe(0);
  });

  it('remains valid when a move starts, but not on another storage or after it expires', async () => {
    const { id } = await makeProject(app);
    const { manager } = app.dataSource;
    const lease = await leases.acquire(requestFor(id));
    expect(await lease.confirm([])).toBe(true);
    await manager.update(Project, { id }, { repositoryReadOnly: true });
    expect(await lease.confirm([])).toBe(true);
    await manager.update(Project, { id }, { repositoryStorage: 'storage2' });
    expect(await lease.confirm([])).toBe(false);
    await manager.update(Project, { id }, { repositoryStorage: 'default' });
    await manager.delete(InflightWrite, { id: lease.id });
    expect(await lease.confirm([])).toBe(false);
  });
});

describe('the write of a process that died', () => {
  /** A push that updated `main` and one that got no further than consent, both without heartbeat. */
  async function leaveDeadWrite() {
    const project = await makeProject(app);
    const author = { name: 'Ada', email: 'ada@example.com', date: new Date() };
    const commit = await commitFiles(project.directory, {
      branch: 'main',
      message: 'Pushed',
      author,
      changes: [{ path: 'a', content: 'a' }],
    });
    const done = { ref: 'refs/heads/main', oldOid: commit.parent ?? ZERO, newOid: commit.oid };
    const removed = { ref: 'refs/heads/gone', oldOid: commit.oid, newOid: ZERO };
    const undone = { ref: 'refs/heads/never', oldOid: ZERO, newOid: commit.oid };
    await addDead(project.id, [done, removed, undone]);
    return { project, done, removed };
  }

  async function addDead(containerId: number, commands: RefCommand[] | null): Promise<void> {
    await app.dataSource.query(
      `INSERT INTO inflight_writes
         (id, repository_key, repository_kind, container_id, instance, commands, heartbeat_at)
       VALUES (gen_random_uuid(), $1, 'project', $2, 'gone:1:x', $3, now() - interval '61 s')`,
      [`project-${containerId}`, containerId, commands === null ? null : JSON.stringify(commands)],
    );
  }

  it('is closed with what it had done on record, once', async () => {
    const { project, done, removed } = await leaveDeadWrite();
    expect(await Promise.all([abandonedWrites.recover(), abandonedWrites.recover()])).toContain(1);
    expect(await abandonedWrites.recover()).toBe(0);
    const recorded = await recordedUpdates(app, project.id);
    expect(recorded.map(({ ref }) => ref).sort()).toEqual([removed.ref, done.ref].sort());
    expect(await openWrites(app)).toBe(0);
  });

  it('is recorded although another one that died went on from there', async () => {
    const { project, done } = await leaveDeadWrite();
    const before = { ref: done.ref, oldOid: 'a'.repeat(40), newOid: done.oldOid };
    await addDead(project.id, [before]);
    await app.dataSource.query(
      `UPDATE inflight_writes SET started_at = started_at - interval '1 s'
       WHERE commands -> 0 ->> 'newOid' = $1`,
      [before.newOid],
    );
    expect(await abandonedWrites.recover()).toBe(2);
    const recorded = await recordedUpdates(app, project.id);
    expect(recorded.map((update) => update['new_oid'])).toContain(before.newOid);
  });

  it('waits for a later write that may go on from there', async () => {
    const { project } = await leaveDeadWrite();
    await addDead(project.id, null);
    await app.dataSource.query(
      `UPDATE inflight_writes SET started_at = now() + interval '1 s', heartbeat_at = now()
       WHERE commands IS NULL`,
    );
    expect(await abandonedWrites.recover()).toBe(0);
    await app.dataSource.query('DELETE FROM inflight_writes WHERE commands IS NULL');
    expect(await abandonedWrites.recover()).toBe(1);
  });

  it('stays open while its receive-pack may still live', async () => {
    const { project } = await leaveDeadWrite();
    const { root: storageRoot } = app.app.get(StorageRegistry, { strict: false }).get('default');
    const lock = { storageRoot, repositoryKey: `project-${project.id}` };
    const [program = '', ...args] = await pushLockPrefix(lock);
    const orphan = spawn(program, [...args, 'cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    orphan.stdin.write('x');
    await once(orphan.stdout, 'data');
    expect(await abandonedWrites.recover()).toBe(0);
    expect(await openWrites(app)).toBe(1);
    orphan.kill('SIGKILL');
    await once(orphan, 'close');
    expect(await abandonedWrites.recover()).toBe(1);
  });

  it('that never got consent, or whose project is gone, is just closed', async () => {
    const { id } = await makeProject(app);
    await addDead(id, null);
    await addDead(999_999, []);
    expect(await abandonedWrites.recover()).toBe(2);
    expect(await recordedUpdates(app, id)).toEqual([]);
  });

  it('is left alone while its heart beats', async () => {
    const { id } = await makeProject(app);
    const lease = await leases.acquire(requestFor(id));
    expect(await abandonedWrites.recover()).toBe(0);
    await lease.release();
  });

  it('does not keep others open when its repository cannot be read', async () => {
    const broken = await makeProject(app, { repositoryStorage: 'lost' });
    const fine = await makeProject(app);
    await addDead(broken.id, []);
    await addDead(fine.id, null);
    expect(await abandonedWrites.recover()).toBe(1);
    expect(await openWrites(app)).toBe(1);
  });
});
