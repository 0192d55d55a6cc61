import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  BIG_SHAPE,
  copyAndVerify,
  copyWithDefaults,
  firstFile,
  flipByte,
  gitIn,
  LOOSE_OBJECT,
  makeBareRepository,
  makeMoveSandbox,
  verifyCopy,
} from '../../../test/support/move-engine.js';
import type { MoveSandbox } from '../../../test/support/move-engine.js';
import { gitEnvironment } from '../../git/git-process.js';
import type { CopiedRepository } from './copy-repository.js';
import { sameReferences } from './verify-repository.js';

let sandbox: MoveSandbox;
let source: string;

beforeEach(() => {
  sandbox = makeMoveSandbox();
  source = sandbox.source;
});
afterEach(() => sandbox.remove());

/** The copy of a source that nothing has written for an hour. */
async function copyOfOldSource(): Promise<CopiedRepository> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  try {
    return await copyWithDefaults(sandbox);
  } finally {
    clock.mockRestore();
  }
}

describe('verifyRepository', () => {
  it.each([
    ['loose objects', {}],
    ['one pack with deltas', { packed: true, commits: 40 }],
    ['SHA-256 objects', { format: 'sha256' as const }],
    ['more than fits the in-process check', BIG_SHAPE],
  ])('accepts a faithful copy of %s and counts its references', async (_name, shape) => {
    makeBareRepository(source, shape);
    const { checksum, refCount } = await copyAndVerify(sandbox);
    expect(checksum).toMatch(/^[0-9a-f]{40}$/);
    expect(refCount).toBe(3);
  });

  it('accepts an empty repository with 40 zeros as its checksum', async () => {
    gitIn('/', ['init', '-q', '--bare', source]);
    expect(await copyAndVerify(sandbox)).toMatchObject({ checksum: '0'.repeat(40), refCount: 0 });
  });

  it('accepts a shallow repository through git', async () => {
    const origin = `${sandbox.storageRoot}/origin.git`;
    makeBareRepository(origin);
    const clone = ['clone', '-q', '--bare', '--depth=1', `file://${origin}`, source];
    execFileSync('git', clone, { env: { ...gitEnvironment(), GIT_ALLOW_PROTOCOL: 'file' } });
    expect(fs.existsSync(`${source}/shallow`)).toBe(true);
    const { refCount } = await copyAndVerify(sandbox);
    expect(refCount).toBe(1);
  });

  it('finds every flipped byte in a copied loose object, pack, index, reference list or config', async () => {
    makeBareRepository(source, { packed: true });
    gitIn(source, [
      'update-ref',
      'refs/heads/new',
      gitIn(source, ['commit-tree', '-m', 'x', 'main^{tree}']),
    ]);
    const copied = await copyWithDefaults(sandbox);
    const positions = [0, 0.2, 0.4, 0.6, 0.8, 0.999];
    for (const path of copied.digests.keys()) {
      const file = `${sandbox.temporary}/${path}`;
      const { size } = fs.statSync(file);
      for (const position of size === 0 ? [] : positions) {
        flipByte(file, Math.floor(position * size));
        await expect(verifyCopy(sandbox, copied)).rejects.toThrow(
          `Failed to verify project repository: ${path} differs from its source`,
        );
        flipByte(file, Math.floor(position * size));
      }
    }
    await verifyCopy(sandbox, copied);
  });

  it('finds a copied file that is gone', async () => {
    makeBareRepository(source);
    const copied = await copyWithDefaults(sandbox);
    fs.rmSync(`${sandbox.temporary}/${firstFile(sandbox.temporary, LOOSE_OBJECT)}`);
    await expect(verifyCopy(sandbox, copied)).rejects.toThrow(
      'Failed to verify project repository: a copied file is gone',
    );
  });

  it('finds a reference that changed at the source after the copy, with both checksums', async () => {
    makeBareRepository(source);
    const copied = await copyWithDefaults(sandbox);
    gitIn(source, ['update-ref', 'refs/heads/main', 'other']);
    await expect(verifyCopy(sandbox, copied)).rejects.toThrow(
      /^Failed to verify project repository checksum from [0-9a-f]{40} to [0-9a-f]{40}$/,
    );
  });

  it('finds what the checksum does not see: HEAD switched between equal branches, hidden refs', async () => {
    makeBareRepository(source);
    gitIn(source, ['update-ref', 'refs/heads/twin', 'main']);
    const copied = await copyWithDefaults(sandbox);
    gitIn(source, ['symbolic-ref', 'HEAD', 'refs/heads/twin']);
    await expect(verifyCopy(sandbox, copied)).rejects.toThrow('references differ, HEAD is');
    gitIn(source, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
    gitIn(source, ['update-ref', 'refs/hidden/one', 'main']);
    await expect(verifyCopy(sandbox, copied)).rejects.toThrow('references differ, refs/hidden/one');
  });

  it('reads the source once while its references are old and stay as they are', async () => {
    makeBareRepository(source);
    const copied = await copyOfOldSource();
    const { stamp } = await verifyCopy(sandbox, copied);
    expect(stamp).toBe(copied.read?.stamp);
    expect(stamp.isReliable).toBe(true);
  });

  it.each([
    ['a new branch', ['update-ref', 'refs/heads/deep/er', 'main']],
    ['a changed branch', ['update-ref', 'refs/heads/main', 'other']],
    ['another HEAD', ['symbolic-ref', 'HEAD', 'refs/heads/other']],
    ['a deleted tag', ['update-ref', '-d', 'refs/tags/v1']],
  ])('finds %s from after the copy of old references', async (_name, change) => {
    makeBareRepository(source);
    const copied = await copyOfOldSource();
    gitIn(source, change);
    await expect(verifyCopy(sandbox, copied)).rejects.toThrow('Failed to verify');
  });

  it('finds a reference that was added to the copy alone', async () => {
    makeBareRepository(source);
    const copied = await copyWithDefaults(sandbox);
    gitIn(sandbox.temporary, ['update-ref', 'refs/heads/planted', 'main']);
    await expect(verifyCopy(sandbox, copied)).rejects.toThrow(
      'Failed to verify project repository',
    );
  });
});

describe('sameReferences', () => {
  it('sees a branch, HEAD and a deletion change', async () => {
    makeBareRepository(source);
    await copyWithDefaults(sandbox);
    const same = () => sameReferences(source, sandbox.temporary);
    expect(await same()).toBe(true);
    gitIn(source, ['symbolic-ref', 'HEAD', 'refs/heads/other']);
    expect(await same()).toBe(false);
    gitIn(source, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
    gitIn(source, ['update-ref', '-d', 'refs/tags/v1']);
    expect(await same()).toBe(false);
  });

  it('sees a push that came after the references were verified, however old they were', async () => {
    makeBareRepository(source);
    const copied = await copyWithDefaults(sandbox);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    const { stamp } = await verifyCopy(sandbox, copied);
    clock.mockRestore();
    expect(stamp.isReliable).toBe(true);
    const same = () => sameReferences(source, sandbox.temporary, stamp);
    expect(await same()).toBe(true);
    gitIn(source, ['update-ref', 'refs/heads/deep/er', 'main']);
    expect(await same()).toBe(false);
    gitIn(source, ['update-ref', '-d', 'refs/heads/deep/er']);
    expect(await same()).toBe(true);
    gitIn(source, ['symbolic-ref', 'HEAD', 'refs/heads/other']);
    expect(await same()).toBe(false);
  });

  it('does not trust the times of references that have just been written', async () => {
    makeBareRepository(source);
    const { stamp } = await verifyCopy(sandbox, await copyWithDefaults(sandbox));
    expect(stamp.isReliable).toBe(false);
    fs.writeFileSync(`${source}/refs/heads/main`, `${gitIn(source, ['rev-parse', 'other'])}\n`);
    expect(await sameReferences(source, sandbox.temporary, stamp)).toBe(false);
  });

  it('handles 50,000 references', async () => {
    makeBareRepository(source);
    const main = gitIn(source, ['rev-parse', 'main']);
    const names = Array.from({ length: 49_000 }, (_, index) => `refs/keep-around/packed-${index}`);
    fs.writeFileSync(`${source}/packed-refs`, names.map((name) => `${main} ${name}\n`).join(''));
    fs.mkdirSync(`${source}/refs/keep-around`);
    for (let index = 0; index < 1000; index += 1) {
      fs.writeFileSync(`${source}/refs/keep-around/${index}`, `${main}\n`);
    }
    const { refCount } = await copyAndVerify(sandbox);
    expect(refCount).toBe(50_003);
    expect(await sameReferences(source, sandbox.temporary)).toBe(true);
    const count = gitIn(sandbox.temporary, ['for-each-ref', '--format=x']).split('\n').length;
    expect(count).toBe(50_003);
  });
});
