import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  copyAndVerify,
  copyWithDefaults,
  gitIn,
  makeBareRepository,
  makeMoveSandbox,
} from '../../../test/support/move-engine.js';
import type { MoveSandbox } from '../../../test/support/move-engine.js';
import { Throttle } from './copy-file.js';
import { copyRepository } from './copy-repository.js';
import { inventoryByParts, inventoryRepository } from './repository-inventory.js';
import { removeTemporary } from './storage-root.js';

let sandbox: MoveSandbox;
let source: string;

beforeEach(() => {
  sandbox = makeMoveSandbox();
  source = sandbox.source;
});
afterEach(() => sandbox.remove());

function put(path: string, content = 'x'): void {
  fs.mkdirSync(`${source}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
  fs.writeFileSync(`${source}/${path}`, content);
}

function copiedFiles(): string[] {
  const entries = fs.readdirSync(sandbox.temporary, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('copyRepository', () => {
  it('makes a repository git finds whole, with the same references', async () => {
    makeBareRepository(source, { packed: true });
    gitIn(source, ['update-ref', 'refs/heads/loose', 'main']);
    gitIn(source, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/other']);
    await copyAndVerify(sandbox);
    gitIn(sandbox.temporary, ['fsck', '--full', '--strict']);
    const list = ['for-each-ref', '--format=%(objectname) %(refname) %(symref) %(*objectname)'];
    expect(gitIn(sandbox.temporary, list)).toBe(gitIn(source, list));
    expect(gitIn(sandbox.temporary, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
    expect(fs.readdirSync(`${sandbox.temporary}/refs/heads`)).toEqual(['alias']);
  });

  it('takes what belongs to a repository and leaves locks, hooks and leftovers behind', async () => {
    makeBareRepository(source, { packed: true });
    const pack = fs.readdirSync(`${source}/objects/pack`).find((name) => name.endsWith('.pack'));
    const stem = pack?.replace('.pack', '') ?? '';
    const taken = ['info/attributes', 'custom_hooks/pre-receive', `objects/pack/${stem}.keep`];
    const left = [
      ...['hooks/post-receive', 'packed-refs.lock', 'gc.pid', 'FETCH_HEAD', 'info/refs'],
      ...['shallow_a1B2c3'],
      ...['objects/tmp_objdir-incoming-a1/pack/pack-1.pack', 'objects/incoming-b2/ab/cd'],
      ...['objects/pack/tmp_pack_x', 'objects/pack/pack-gone.keep', 'objects/pack/pack-half.pack'],
      ...['objects/ab/tmp_obj_y', 'refs/heads/main.lock', 'svc-move.json'],
    ];
    for (const path of [...taken, ...left]) put(path);
    execFileSync('mkfifo', [`${source}/info/exclude-fifo`, `${source}/shallow`]);
    const { skipped } = await inventoryRepository(source);
    await copyAndVerify(sandbox);
    for (const path of taken) expect(fs.existsSync(`${sandbox.temporary}/${path}`)).toBe(true);
    for (const path of left) expect(fs.existsSync(`${sandbox.temporary}/${path}`)).toBe(false);
    expect(copiedFiles()).not.toContain('shallow');
    expect(skipped).toEqual(
      expect.arrayContaining(['hooks', 'shallow', 'gc.pid', 'svc-move.json']),
    );
  });

  it.each(['surprise', 'worktrees/a/HEAD', 'config.worktree', 'reftable/tables.list'])(
    'refuses the unknown entry %s',
    async (path) => {
      makeBareRepository(source);
      put(path);
      await expect(copyWithDefaults(sandbox)).rejects.toThrow('Unknown entry in repository');
    },
  );

  it.each(['config', 'objects', 'refs/heads/link', 'objects/info/commit-graph', 'description'])(
    'refuses a symbolic link at %s',
    async (path) => {
      makeBareRepository(source);
      if (fs.existsSync(`${source}/${path}`)) {
        fs.renameSync(`${source}/${path}`, `${sandbox.storageRoot}/away`);
      }
      fs.symlinkSync(`${sandbox.storageRoot}/away`, `${source}/${path}`);
      await expect(copyWithDefaults(sandbox)).rejects.toThrow('Symbolic link in repository');
    },
  );

  it('rewrites HEAD as a file where it is a symbolic link', async () => {
    makeBareRepository(source);
    fs.rmSync(`${source}/HEAD`);
    fs.symlinkSync('refs/heads/other', `${source}/HEAD`);
    await copyAndVerify(sandbox);
    expect(fs.lstatSync(`${sandbox.temporary}/HEAD`).isFile()).toBe(true);
    expect(fs.readFileSync(`${sandbox.temporary}/HEAD`, 'utf8')).toBe('ref: refs/heads/other\n');
  });

  it('refuses HEAD that links out of the repository', async () => {
    makeBareRepository(source);
    fs.rmSync(`${source}/HEAD`);
    fs.symlinkSync('/etc/passwd', `${source}/HEAD`);
    await expect(copyWithDefaults(sandbox)).rejects.toThrow('Symbolic link in repository: HEAD');
  });

  it('refuses objects borrowed from another repository, but not an empty alternates file', async () => {
    makeBareRepository(source);
    put('objects/info/alternates', '# none\n\n');
    await copyAndVerify(sandbox);
    await removeTemporary(sandbox.temporary);
    put('objects/info/alternates', '../../../../etc\n');
    await expect(copyWithDefaults(sandbox)).rejects.toThrow(
      'Repository borrows objects from ../../../../etc',
    );
  });

  it('never runs what a hostile configuration names, and does not carry it along', async () => {
    makeBareRepository(source, { weight: 3_000_000, packed: true });
    const proof = `${sandbox.storageRoot}/executed`;
    gitIn(source, ['config', 'core.fsmonitor', `touch ${proof}`]);
    gitIn(source, ['config', 'core.sshCommand', `touch ${proof}`]);
    gitIn(source, ['config', 'alias.fsck', `!touch ${proof}`]);
    gitIn(source, ['config', 'remote.origin.url', '/tmp/elsewhere']);
    put('hooks/reference-transaction', `#!/bin/sh\ntouch ${proof}\n`);
    fs.chmodSync(`${source}/hooks/reference-transaction`, 0o755);
    await copyAndVerify(sandbox);
    expect(fs.existsSync(proof)).toBe(false);
    const config = fs.readFileSync(`${sandbox.temporary}/config`, 'utf8');
    expect(config).toMatch(/bare = true/);
    expect(config).not.toMatch(/touch|elsewhere/);
  });

  it('reports growing progress up to the size of the inventory', async () => {
    makeBareRepository(source, { packed: true, weight: 2_000_000 });
    const seen: number[] = [];
    const { signal } = new AbortController();
    const onProgress = (bytes: number) => seen.push(bytes);
    const { inventory } = await copyRepository(source, sandbox.temporary, { signal, onProgress });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.at(-1)).toBe(inventory.bytes);
  });

  it('throttles small files', async () => {
    makeBareRepository(source);
    const controller = new AbortController();
    const copy = copyRepository(source, sandbox.temporary, {
      signal: controller.signal,
      throttles: [new Throttle(null), new Throttle(1000)],
      onProgress: () => controller.abort(),
    });
    await expect(copy).rejects.toThrow();
    const copied = fs.readdirSync(`${sandbox.temporary}/objects`, { recursive: true });
    expect(copied.filter((name) => String(name).length > 38)).toHaveLength(1);
    await removeTemporary(sandbox.temporary);
  });

  it('stops at once when it is aborted, also while the throttle waits, and leaks no descriptor', async () => {
    makeBareRepository(source, { packed: true, weight: 2_000_000 });
    const before = fs.readdirSync('/proc/self/fd').length;
    const signal = AbortSignal.timeout(300);
    const copy = copyRepository(source, sandbox.temporary, {
      signal,
      throttles: [new Throttle(100)],
      onProgress: () => undefined,
    });
    await expect(copy).rejects.toThrow();
    expect(signal.aborted).toBe(true);
    expect(fs.readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
    await removeTemporary(sandbox.temporary);
    expect(fs.existsSync(sandbox.temporary)).toBe(false);
  });
});

describe('inventoryByParts', () => {
  async function listed(): Promise<{ folders: string[]; paths: string[] }> {
    const parts = [];
    for await (const part of inventoryByParts(source)) parts.push(part);
    const paths = parts.flatMap(({ files }) => files.map(({ path }) => path));
    return { folders: parts.map(({ folder }) => folder), paths: paths.sort() };
  }

  it('lists the files of the whole inventory by folders, and follows no links', async () => {
    makeBareRepository(source);
    put('objects/0f', 'a file in place of a folder');
    fs.symlinkSync(sandbox.storageRoot, `${source}/objects/0e`);
    put('objects/ab/tmp_obj_y');
    const { folders, paths } = await listed();
    const { files } = await inventoryRepository(source);
    expect(paths).toEqual(files.map(({ path }) => path).sort());
    expect(folders).toEqual(folders.toSorted());
  });
});
