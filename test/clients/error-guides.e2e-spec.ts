import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import { guideNamed } from '../../src/error-tracking/pages/settings/sdk-guides.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { makeCollectingPlace } from '../support/error-set-up.js';
import { eventually } from '../support/eventually.js';

let app: OwnTestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await app.close();
});

/** Returns the snippets of a guide, in order. */
function pasted(name: string, dsn: string): string[] {
  return guideNamed(name)
    .steps(dsn)
    .map(({ code }) => code);
}

/** The error that arrived in a project. */
function errorOf({ id }: { id: number }): Promise<ErrorGroup> {
  return eventually(() => app.dataSource.manager.findOneByOrFail(ErrorGroup, { projectId: id }));
}

describe('guides of the set-up page', () => {
  it('make a program on Node.js report its errors', async () => {
    const { project, dsn } = await makeCollectingPlace(app);
    const [, setUp = '', , attempt = ''] = pasted('node', dsn);
    await writeFile(join(folder, 'instrument.mjs'), setUp);
    const { stderr } = await runCommand('sh', ['-c', attempt], { cwd: folder });
    expect(stderr).toContain('Hello from Node.js');
    expect(await errorOf(project)).toMatchObject({
      type: 'Error',
      value: 'Hello from Node.js',
      isUnhandled: true,
    });
  });

  it('name an address that takes errors from whatever can post', async () => {
    const { project, dsn } = await makeCollectingPlace(app);
    const [command = ''] = pasted('shell', dsn);
    const [, body = ''] = /--data '([^']*)'/.exec(command) ?? [];
    const [, address = ''] = /"(http[^"]*)"$/.exec(command) ?? [];
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(address, { method: 'POST', headers, body });
    expect(status).toBe(200);
    expect(await errorOf(project)).toMatchObject({ type: null, value: 'Hello from a shell' });
  });
});
