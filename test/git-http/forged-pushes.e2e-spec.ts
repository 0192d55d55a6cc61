import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gitOutput } from '../../src/git/git-process.js';
import { listReferences } from '../../src/git/git-repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { makePack, pushBody, type RawPush, SlowPush } from './raw-push.js';
import {
  makeMember,
  makeProject,
  type MadeProject,
  openWrites,
  type RawAnswer,
  recordedUpdates,
} from './world.js';

const ZERO = '0'.repeat(40);
const MAIN = 'refs/heads/main';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function head(directory: string): Promise<string> {
  return (await gitOutput(['rev-parse', 'main'], { cwd: directory })).toString().trim();
}

async function send(project: MadeProject, token: string, body: Buffer): Promise<RawAnswer> {
  const push = new SlowPush(app, project.fullPath, token);
  push.write(body);
  push.end();
  return push.answer();
}

/** A commit that nothing names yet, on top of the project's `main`. */
async function nextCommit({ directory }: MadeProject, message: string): Promise<string> {
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'x'],
      [`GIT_${who}_EMAIL`, 'x@example.com'],
    ]),
  );
  const args = ['commit-tree', '-p', 'main', '-m', message, 'main^{tree}'];
  return (await gitOutput(args, { cwd: directory, env })).toString().trim();
}

describe('ref names with line ends', () => {
  it.each(['\n', '\n\n', '\n\n\n', '\n.\n', '\naccept\n'])(
    'do not hide the commands behind them from the hook: %j',
    async (end) => {
      const project = await makeProject(app);
      const { token } = await makeMember(app, project, 'developer');
      const oldOid = await head(project.directory);
      const newOid = await nextCommit(project, 'Protected');
      const pack = await makePack(project.directory, newOid, oldOid);
      const commands: RawPush[] = [
        { ref: `refs/heads/x${end}`, oldOid: ZERO, newOid, pack },
        { ref: MAIN, oldOid, newOid, pack: Buffer.alloc(0) },
      ];
      const answer = await send(project, token, pushBody(...commands));
      expect(answer.body).not.toContain(`ok ${MAIN}`);
      expect(await head(project.directory)).toBe(oldOid);
      expect(await recordedUpdates(app, project.id)).toEqual([]);
    },
  );

  it('do not put anything on record that did not happen', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const newOid = await head(project.directory);
    const pack = await makePack(project.directory, newOid, newOid);
    const ref = `refs/heads/x\n${ZERO} ${newOid} ${MAIN}`;
    await send(project, token, pushBody({ ref, oldOid: ZERO, newOid, pack }));
    expect(await recordedUpdates(app, project.id)).toEqual([]);
    expect(await openWrites(app)).toBe(0);
  });
});

describe('a push that comes too late', () => {
  it('is not on record, although its ref has the value it wanted', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const oldOid = await head(project.directory);
    const newOid = await nextCommit(project, 'Twice');
    const pack = await makePack(project.directory, newOid, oldOid);
    const body = pushBody({ ref: MAIN, oldOid, newOid, pack });
    const answers = await Promise.all([1, 2, 3].map(() => send(project, token, body)));
    const accepted = answers.filter(({ body: report }) => report.includes(`ok ${MAIN}`));
    expect(accepted).toHaveLength(1);
    await send(project, token, body);
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
    expect(await openWrites(app)).toBe(0);
  });
});

describe('a push with many commands', () => {
  it('names each ref once, or is refused as a whole', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const newOid = await head(project.directory);
    const pack = await makePack(project.directory, newOid, newOid);
    const twice: RawPush = { ref: 'refs/heads/x', oldOid: ZERO, newOid, pack };
    const answer = await send(project, token, pushBody(twice, { ...twice, pack: Buffer.alloc(0) }));
    expect(answer.body).toContain('Guildhall: The push names a reference twice.');
    expect(await listReferences(project.directory)).toHaveLength(1);
  });

  it('without an end is refused before it fills the memory', async () => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, 'developer');
    const newOid = await head(project.directory);
    const name = 'x'.repeat(60_000);
    const commands = Array.from({ length: 600 }, (_, index) => {
      return { ref: `refs/heads/${name}${index}`, oldOid: ZERO, newOid, pack: Buffer.alloc(0) };
    });
    const endless = pushBody(...commands).subarray(0, -4);
    const answer = await send(project, token, endless);
    expect([answer.status, answer.body]).toEqual([413, 'The push updates too many references.']);
    expect(await openWrites(app)).toBe(0);
  });
});
