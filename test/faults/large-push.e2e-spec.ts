import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gitOutput } from '../../src/git/git-process.js';
import { makePack, pushBody, SlowPush } from '../git-http/raw-push.js';
import { makeMember, makeProject, openWrites } from '../git-http/world.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';

const REFS = 50_000;
const ZERO = '0'.repeat(40);

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a push of 50,000 refs', () => {
  it('is taken, each of them on record, in bounded memory', async () => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, 'developer');
    const head = await gitOutput(['rev-parse', 'main'], { cwd: project.directory });
    const newOid = head.toString().trim();
    const pack = await makePack(project.directory, newOid, newOid);
    const commands = Array.from({ length: REFS }, (_, index) => {
      const ref = `refs/tags/many/${index}`;
      return { ref, oldOid: ZERO, newOid, pack: index === 0 ? pack : Buffer.alloc(0) };
    });
    const before = process.memoryUsage().rss;
    const push = new SlowPush(app, project.fullPath, token);
    push.write(pushBody(...commands));
    push.end();
    const { body } = await push.answer();
    expect(body).toContain(`ok refs/tags/many/${REFS - 1}`);
    const [row] = await app.dataSource.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM ref_updates WHERE container_id = $1',
      [project.id],
    );
    expect(row?.n).toBe(REFS);
    expect(await openWrites(app)).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  }, 300_000);
});
