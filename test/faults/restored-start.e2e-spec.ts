import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand, type CommandResult } from '../support/command.js';
import { StarterFolder } from '../support/starter.js';

let folder: StarterFolder;
beforeEach(() => {
  folder = new StarterFolder();
});
afterEach(() => folder.remove());

/** Runs `guildhall backup` in another terminal, with a folder of its own for the backups. */
async function backup(verb: string): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: folder.path };
  const passphrase = join(folder.path, 'passphrase');
  await writeFile(passphrase, 'only for tests, only for tests');
  const place = ['--store', join(folder.path, 'backups'), '--passphrase-file', passphrase];
  return runCommand(process.execPath, ['dist/cli.js', 'backup', verb, ...place], { env });
}

describe('npm start', () => {
  it('gets its data back from a backup when database, storages and key are lost', async () => {
    const first = await folder.start();
    expect(await backup('create')).toMatchObject({ code: 0 });
    first.child.kill('SIGINT');
    expect(await once(first.child, 'exit')).toEqual([0, null]);

    for (const lost of ['postgres', 'storages', 'secret_key']) {
      await rm(join(folder.path, lost), { recursive: true });
    }
    const servers = await folder.startServers();
    expect(await backup('restore')).toMatchObject({ code: 0 });
    servers.child.kill('SIGINT');
    expect(await once(servers.child, 'exit')).toEqual([0, null]);

    const second = await folder.start();
    const [, token = ''] = /token {5}(\S+)/.exec(first.output()) ?? [];
    const headers = { 'PRIVATE-TOKEN': token };
    expect((await fetch(`${second.baseUrl}/api/v4/user`, { headers })).status).toBe(200);
  }, 240_000);
});
