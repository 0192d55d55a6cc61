import fs from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  copyAndVerify,
  gitIn,
  makeBareRepository,
  makeMoveSandbox,
  type MoveSandbox,
} from '../../../test/support/move-engine.js';
import { folderElsewhere } from '../../../test/support/filesystems.js';
import { readMarker, removeMarker, type MoveMarker } from './move-marker.js';
import { publishRepository, withdrawRepository, type Published } from './publish-repository.js';
import { removeTemporary, deleteTrash, findInTrash, moveToTrash } from './storage-root.js';

let sandbox: MoveSandbox;
let marker: MoveMarker;

beforeEach(async () => {
  sandbox = makeMoveSandbox();
  makeBareRepository(sandbox.source);
  const { checksum } = await copyAndVerify(sandbox);
  marker = { move: 'project-7', attempt: 2, checksum };
});
afterEach(() => sandbox.remove());

function publish(confirm?: () => void): Promise<Published> {
  const { temporary, target, storageRoot } = sandbox;
  return publishRepository({ temporary, target, storageRoot, marker, confirm });
}

function withdraw(as: MoveMarker): Promise<void> {
  const { target, storageRoot } = sandbox;
  return withdrawRepository({ target, storageRoot, marker: as });
}

function putAtTarget(name: string, content: string): void {
  fs.mkdirSync(sandbox.target, { recursive: true });
  fs.writeFileSync(`${sandbox.target}/${name}`, content);
}

function lockOf(holder: object): void {
  fs.mkdirSync(`${sandbox.storageRoot}/@hashed/aa/bb`, { recursive: true });
  fs.writeFileSync(`${sandbox.target}.lock`, JSON.stringify(holder));
}

describe('publishRepository', () => {
  it('puts the copy in place with its marker and leaves neither lock nor temporary', async () => {
    expect(await publish()).toEqual({ found: 'nothing', trashed: null });
    gitIn(sandbox.target, ['fsck', '--full']);
    expect(readMarker(sandbox.target)).toEqual(marker);
    expect(fs.existsSync(sandbox.temporary)).toBe(false);
    expect(fs.readdirSync(`${sandbox.storageRoot}/@hashed/aa/bb`)).toEqual(['x.git']);
    await removeMarker(sandbox.target);
    await removeMarker(sandbox.target);
    expect(readMarker(sandbox.target)).toBeNull();
  });

  it('replaces an empty directory', async () => {
    fs.mkdirSync(sandbox.target, { recursive: true });
    expect(await publish()).toEqual({ found: 'empty', trashed: null });
    expect(fs.existsSync(`${sandbox.target}/HEAD`)).toBe(true);
  });

  it('puts a foreign repository into the trash, whole', async () => {
    putAtTarget('HEAD', 'ref: refs/heads/foreign\n');
    const { found, trashed } = await publish();
    expect(found).toBe('foreign');
    expect(trashed).toMatch(/^\+svc\/trash\/project-7-unexpected~@hashed\+aa\+bb\+x\.git~/);
    const head = fs.readFileSync(`${sandbox.storageRoot}/${trashed}/HEAD`, 'utf8');
    expect(head).toBe('ref: refs/heads/foreign\n');
    gitIn(sandbox.target, ['fsck', '--full']);
  });

  it('replaces what an earlier attempt of the same move published', async () => {
    putAtTarget('svc-move.json', JSON.stringify({ ...marker, attempt: 1 }));
    const { found, trashed } = await publish();
    expect(found).toBe('ours');
    expect(trashed).toContain('project-7-superseded');
    expect(readMarker(sandbox.target)?.attempt).toBe(2);
  });

  it('takes a file or a link at the target for foreign and follows neither', async () => {
    fs.mkdirSync(`${sandbox.storageRoot}/@hashed/aa/bb`, { recursive: true });
    fs.symlinkSync(sandbox.source, sandbox.target);
    expect((await publish()).found).toBe('foreign');
    expect(fs.lstatSync(sandbox.target).isDirectory()).toBe(true);
    expect(fs.existsSync(`${sandbox.source}/HEAD`)).toBe(true);
  });

  it('refuses a parent that leads out of the storage', async () => {
    fs.symlinkSync(fs.realpathSync('/tmp'), `${sandbox.storageRoot}/@hashed`);
    await expect(publish()).rejects.toThrow('Not a directory: @hashed');
  });

  it('refuses a storage that is not mounted and a copy on another filesystem', async () => {
    const elsewhere = fs.mkdtempSync(`${folderElsewhere(sandbox.storageRoot)}/guildhall-moves-`);
    const { target, storageRoot } = sandbox;
    const publication = { temporary: elsewhere, target, storageRoot, marker };
    const rejection = expect(publishRepository(publication)).rejects;
    await rejection.toThrow('Destination storage spans several filesystems (EXDEV)');
    expect(fs.existsSync(target)).toBe(false);
    fs.rmSync(elsewhere, { recursive: true });
    fs.rmSync(`${storageRoot}/.svc-metadata`);
    await expect(publish()).rejects.toThrow('is not mounted');
  });

  it('changes nothing when the caller has lost the move', async () => {
    putAtTarget('HEAD', 'foreign');
    const lost = publish(() => {
      throw new Error('lease lost');
    });
    await expect(lost).rejects.toThrow('lease lost');
    expect(fs.readFileSync(`${sandbox.target}/HEAD`, 'utf8')).toBe('foreign');
    expect(fs.existsSync(`${sandbox.target}.lock`)).toBe(false);
  });

  it.each([
    ['a dead process', { move: 'project-8', attempt: 1, host: hostname(), pid: 4_000_000 }],
    ['an earlier life', { move: 'project-8', attempt: 1, host: hostname(), pid: process.pid }],
    ['an earlier attempt', { move: 'project-7', attempt: 1, host: 'elsewhere', pid: 1 }],
    ['an unknown host, after a while', { move: 'project-8', attempt: 1, host: 'gone', pid: 1 }],
  ])('takes over the lock of %s', async (_name, holder) => {
    lockOf(holder);
    expect((await publish()).found).toBe('nothing');
    expect(fs.existsSync(`${sandbox.target}.lock`)).toBe(false);
  });
});

describe('withdrawRepository', () => {
  it('removes what this attempt or an earlier one of the move has published', async () => {
    await publish();
    await withdraw({ ...marker, attempt: 3 });
    expect(fs.existsSync(sandbox.target)).toBe(false);
    expect(fs.readdirSync(`${sandbox.storageRoot}/+svc/tmp`)).toEqual([]);
    await withdraw(marker);
  });

  it.each([
    ['a later attempt', { move: 'project-7', attempt: 1, checksum: '' }],
    ['another move', { move: 'project-70', attempt: 9, checksum: '' }],
  ])('keeps what %s has published', async (_name, other) => {
    await publish();
    await withdraw(other);
    expect(readMarker(sandbox.target)).toEqual(marker);
  });

  it('keeps a repository without marker for every move', async () => {
    await publish();
    await removeMarker(sandbox.target);
    await withdraw(marker);
    expect(fs.existsSync(`${sandbox.target}/HEAD`)).toBe(true);
  });
});

describe('trash', () => {
  const request = () => ({
    storageRoot: sandbox.storageRoot,
    relativePath: '@hashed/aa/bb/x.git',
    label: 'project-1',
  });

  it('takes a repository once, finds it by its move and deletes it permanently', async () => {
    await publish();
    const trashed = await moveToTrash(request());
    expect(trashed).toMatch(/^\+svc\/trash\/project-1~@hashed\+aa\+bb\+x\.git~[0-9a-f]{8}$/);
    expect(await moveToTrash(request())).toBeNull();
    expect(await findInTrash(sandbox.storageRoot, 'project-1')).toEqual([trashed]);
    expect(await findInTrash(sandbox.storageRoot, 'project-11')).toEqual([]);
    await deleteTrash(sandbox.storageRoot, trashed ?? '');
    await deleteTrash(sandbox.storageRoot, trashed ?? '');
    expect(await findInTrash(sandbox.storageRoot, 'project-1')).toEqual([]);
  });

  it('never takes an empty mount point for a removed source', async () => {
    fs.rmSync(`${sandbox.storageRoot}/.svc-metadata`);
    await expect(moveToTrash(request())).rejects.toThrow('is not mounted');
    await expect(findInTrash(sandbox.storageRoot, 'project-1')).rejects.toThrow('is not mounted');
  });

  it.each(['@hashed/aa', '+svc/trash/..', '+svc/trash/', '+svc/trash/a/b', '/+svc/trash/a'])(
    'does not delete %s',
    async (path) => {
      await expect(deleteTrash(sandbox.storageRoot, path)).rejects.toThrow(
        'Not a path in the trash',
      );
    },
  );
});

describe('removeTemporary', () => {
  it('removes nothing but a directory inside the temporary directory', async () => {
    await expect(removeTemporary(sandbox.source)).rejects.toThrow('Not a temporary directory');
    await expect(removeTemporary(`${sandbox.storageRoot}/+svc/tmp/..`)).rejects.toThrow('Not a');
    await removeTemporary(sandbox.temporary);
    await removeTemporary(sandbox.temporary);
    expect(fs.existsSync(sandbox.temporary)).toBe(false);
  });
});
