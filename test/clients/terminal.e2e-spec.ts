import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cliEnvironment } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { PASSPHRASE } from '../support/backup-instance.js';
import { installProgram } from '../support/system-package.js';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  installProgram({ program: 'script', packageName: 'bsdutils' });
  app = await sharedTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guildhall-terminal-'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `guildhall` on a terminal, which `script` of util-linux provides. */
async function onTerminal(command: string): Promise<string> {
  const { queuePrefix: name, databaseUrl: url, dataDir, secretKey } = app.config;
  const program = `${process.execPath} ${resolve('dist/cli.js')} ${command}`;
  const { code, stdout } = await runCommand('script', ['-qec', program, '/dev/null'], {
    env: cliEnvironment({ name, url }, dataDir, {
      SECRET_KEY: secretKey,
      GUILDHALL_BACKUP_STORE: folder,
      GUILDHALL_BACKUP_PASSPHRASE: PASSPHRASE,
      TERM: 'xterm',
    }),
  });
  expect([code, stdout]).toEqual([0, expect.any(String)]);
  return stdout;
}

describe('guildhall on a terminal', () => {
  it('draws the progress of a backup with rate and remaining time', async () => {
    const output = await onTerminal('backup create');
    expect(output).toMatch(/Database \S+ (\d+)\/\1 \| [\d.]+ [KM]iB \| [\d.]+ \wiB\/s \| ETA \d/);
    expect(output).toMatch(/Repositories \S+ /);
  });

  it('prints nothing but JSON with --json', async () => {
    const [line = '', ...rest] = (await onTerminal('--json backup create')).trim().split('\n');
    expect([JSON.parse(line), rest]).toEqual([expect.objectContaining({ failures: [] }), []]);
  });
});
