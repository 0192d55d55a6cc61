import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  gitIn,
  makeBareRepository,
  makeMoveSandbox,
  type MoveSandbox,
} from '../../../test/support/move-engine.js';
import {
  formatPackedRefs,
  isReferenceName,
  parsePackedRefs,
  readReferences,
  referenceChecksum,
  resolvedReferences,
} from './repository-references.js';

let sandbox: MoveSandbox;
let path: string;

beforeEach(() => {
  sandbox = makeMoveSandbox();
  path = sandbox.source;
  makeBareRepository(path);
});
afterEach(() => sandbox.remove());

/** Returns the references as git lists them. */
function listedByGit(): string[] {
  return gitIn(path, ['show-ref', '--head']).split('\n').sort();
}

async function listedByUs(): Promise<string[]> {
  const resolved = resolvedReferences(await readReferences(path));
  return resolved.map(({ oid, name }) => `${oid} ${Buffer.from(name, 'latin1').toString()}`).sort();
}

describe('readReferences', () => {
  it('lists what git lists: loose, packed, symbolic, hidden and non-ASCII names', async () => {
    gitIn(path, ['pack-refs', '--all']);
    gitIn(path, ['update-ref', 'refs/heads/größe', 'main']);
    gitIn(path, ['update-ref', 'refs/hidden/one', 'main']);
    gitIn(path, ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/other']);
    gitIn(path, ['symbolic-ref', 'refs/remotes/origin/gone', 'refs/heads/gone']);
    gitIn(path, ['config', 'transfer.hideRefs', 'refs/hidden']);
    expect(await listedByUs()).toEqual(listedByGit());
  });

  it('takes the loose value where a reference is packed too', async () => {
    gitIn(path, ['pack-refs', '--all']);
    const other = gitIn(path, ['rev-parse', 'other']);
    gitIn(path, ['update-ref', 'refs/heads/main', other]);
    const { direct } = await readReferences(path);
    expect(direct.get('refs/heads/main')?.oid).toBe(other);
    expect(await listedByUs()).toEqual(listedByGit());
  });

  it('reads HEAD as a branch, an unborn branch, an object id and a symbolic link', async () => {
    expect((await readReferences(path)).head).toBe('ref: refs/heads/main');
    gitIn(path, ['symbolic-ref', 'HEAD', 'refs/heads/unborn']);
    expect(await listedByUs()).toEqual(listedByGit());
    const main = gitIn(path, ['rev-parse', 'main']);
    writeFileSync(`${path}/HEAD`, `${main}\n`);
    expect((await readReferences(path)).head).toBe(main);
    rmSync(`${path}/HEAD`);
    symlinkSync('refs/heads/other', `${path}/HEAD`);
    expect((await readReferences(path)).head).toBe('ref: refs/heads/other');
  });

  it('ignores locks and refuses a reference that is cut short or has an impossible name', async () => {
    writeFileSync(`${path}/refs/heads/main.lock`, '');
    await readReferences(path);
    writeFileSync(`${path}/refs/heads/a b`, '');
    await expect(readReferences(path)).rejects.toThrow('refs/heads/a b has a broken name');
    rmSync(`${path}/refs/heads/a b`);
    writeFileSync(`${path}/refs/heads/main`, 'abc\n');
    await expect(readReferences(path)).rejects.toThrow(
      'Source repository is damaged: reference refs/heads/main is broken',
    );
  });

  it('never follows a link below refs', async () => {
    mkdirSync(`${sandbox.storageRoot}/elsewhere`);
    symlinkSync(`${sandbox.storageRoot}/elsewhere`, `${path}/refs/linked`);
    await expect(readReferences(path)).rejects.toThrow('Symbolic link in repository: refs/linked');
  });
});

describe('packed-refs', () => {
  it('survives parsing and writing as git wrote it', () => {
    gitIn(path, ['pack-refs', '--all']);
    const text = readFileSync(`${path}/packed-refs`, 'latin1');
    const packed = parsePackedRefs(text);
    expect(packed.references.find(({ name }) => name === 'refs/tags/v1')?.peeled).toBe(
      gitIn(path, ['rev-parse', 'v1^{}']),
    );
    expect(formatPackedRefs(packed.references.reverse(), packed.traits)).toBe(text);
  });

  it.each([`${'a'.repeat(40)} refs/heads/a`, 'abc refs/heads/a\n', `^${'a'.repeat(40)}\n`, '\n'])(
    'refuses %j',
    (text) => expect(() => parsePackedRefs(text)).toThrow('Source repository is damaged'),
  );

  it.each(['refs/../x', 'refs/heads/a..b', 'refs/heads/a~', 'refs/heads/.a', 'refs/heads/a.lock'])(
    'does not take %s for a name',
    (name) => expect(isReferenceName(name)).toBe(false),
  );
});

describe('referenceChecksum', () => {
  it('is 40 zeros without references', () => expect(referenceChecksum([])).toBe('0'.repeat(40)));

  it('combines the lines of git show-ref --head', async () => {
    gitIn(path, ['update-ref', 'refs/hidden/one', 'main']);
    const counted = listedByGit().filter((line) => !line.includes('refs/hidden/'));
    const sum = counted.map(lineHash).reduce((left, right) => left ^ right, 0n);
    const checksum = referenceChecksum(resolvedReferences(await readReferences(path)));
    expect(checksum).toBe(sum.toString(16).padStart(40, '0'));
  });

  it('keeps leading zeros and counts names that only contain a counted part', () => {
    const oid = 'a'.repeat(40);
    const twice = { oid, name: 'refs/remotes/a/refs/heads/b' };
    expect(referenceChecksum([twice, twice])).toBe('0'.repeat(40));
    expect(referenceChecksum([{ oid, name: 'refs/remotes/a/b' }])).toBe('0'.repeat(40));
    expect(referenceChecksum([twice])).not.toBe('0'.repeat(40));
  });
});

function lineHash(line: string): bigint {
  return BigInt(`0x${createHash('sha1').update(line).digest('hex')}`);
}
