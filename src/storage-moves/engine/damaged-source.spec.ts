import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BIG_SHAPE,
  copyAndVerify,
  filesOf,
  firstFile,
  flipByte,
  gitIn,
  LOOSE_OBJECT,
  makeBareRepository,
  makeMoveSandbox,
} from '../../../test/support/move-engine.js';
import type { MoveSandbox } from '../../../test/support/move-engine.js';

let sandbox: MoveSandbox;
let source: string;

beforeEach(() => {
  sandbox = makeMoveSandbox();
  source = sandbox.source;
});
afterEach(() => sandbox.remove());

describe('a damaged source', () => {
  it('is blamed for each loose object that is missing', async () => {
    makeBareRepository(source, { commits: 2 });
    for (const path of filesOf(source, LOOSE_OBJECT)) {
      const content = fs.readFileSync(`${source}/${path}`);
      fs.rmSync(`${source}/${path}`);
      await expect(copyAndVerify(sandbox)).rejects.toThrow(
        /^Source repository is damaged: .*(missing|points at)/,
      );
      fs.writeFileSync(`${source}/${path}`, content);
      fs.rmSync(sandbox.temporary, { recursive: true });
    }
    await copyAndVerify(sandbox);
  });

  it('is blamed for every flipped byte of a loose object, a pack and its index', async () => {
    makeBareRepository(source, { packed: true, commits: 10 });
    gitIn(source, ['hash-object', '-w', '--stdin'], 'unreachable content');
    const paths = filesOf(source, /^objects\/([0-9a-f]{2}\/|.*\.(pack|idx)$)/);
    for (const path of paths) {
      const { size } = fs.statSync(`${source}/${path}`);
      for (const position of [0, 0.1, 0.35, 0.6, 0.85, 0.9999]) {
        flipByte(`${source}/${path}`, Math.floor(position * size));
        await expect(copyAndVerify(sandbox)).rejects.toThrow('Source repository is damaged');
        flipByte(`${source}/${path}`, Math.floor(position * size));
        fs.rmSync(sandbox.temporary, { recursive: true });
      }
    }
  });

  it('is found in a big repository too: flipped bytes in the pack, a missing object', async () => {
    makeBareRepository(source, BIG_SHAPE);
    const pack = firstFile(source, /\.pack$/);
    flipByte(`${source}/${pack}`, 1_000_000);
    await expect(copyAndVerify(sandbox)).rejects.toThrow(
      `Source repository is damaged: ${pack} does not match its checksum`,
    );
    flipByte(`${source}/${pack}`, 1_000_000);
    fs.rmSync(sandbox.temporary, { recursive: true });
    const commit = gitIn(source, ['commit-tree', '-m', 'x', '-p', 'main', 'main^{tree}']);
    gitIn(source, ['update-ref', 'refs/heads/new', commit]);
    fs.rmSync(`${source}/objects/${commit.slice(0, 2)}/${commit.slice(2)}`);
    await expect(copyAndVerify(sandbox)).rejects.toThrow('Source repository is damaged');
  });

  it('is found when a big loose object is corrupt', async () => {
    makeBareRepository(source, { weight: 2_500_000 });
    const big = filesOf(source, LOOSE_OBJECT).find(
      (path) => fs.statSync(`${source}/${path}`).size > 1_100_000,
    );
    await copyAndVerify(sandbox);
    fs.rmSync(sandbox.temporary, { recursive: true });
    flipByte(`${source}/${big}`, 1_000_000);
    await expect(copyAndVerify(sandbox)).rejects.toThrow(
      'Source repository is damaged: corrupt loose object',
    );
  });

  it.each([
    ['a loose object', false],
    ['a packed object', true],
  ])('is found behind %s that inflates to more than memory should hold', async (_name, packed) => {
    makeBareRepository(source, { packed });
    const bomb = gitIn(source, ['hash-object', '-w', '--stdin'], '0'.repeat(70_000_000));
    gitIn(source, ['update-ref', 'refs/keep-around/bomb', bomb]);
    if (packed) gitIn(source, ['repack', '-adq']);
    const small = gitIn(source, ['hash-object', '-w', '--stdin'], 'small');
    await copyAndVerify(sandbox);
    fs.rmSync(sandbox.temporary, { recursive: true });
    flipByte(`${source}/objects/${small.slice(0, 2)}/${small.slice(2)}`, 10);
    await expect(copyAndVerify(sandbox)).rejects.toThrow(`corrupt loose object ${small}`);
  });

  it.each([
    [
      'an empty reference',
      { path: 'refs/heads/broken', content: '', finding: 'reference refs/heads/broken is broken' },
    ],
    [
      'a reference to nothing',
      {
        path: 'refs/heads/lost',
        content: `${'1'.repeat(40)}\n`,
        finding: 'refs/heads/lost points at',
      },
    ],
    ['an empty HEAD', { path: 'HEAD', content: '', finding: 'reference HEAD is broken' }],
    [
      'a broken config',
      { path: 'config', content: '[core\n', finding: 'config is broken in line 1' },
    ],
  ])('is found through %s', async (_name, { path, content, finding }) => {
    makeBareRepository(source);
    fs.writeFileSync(`${source}/${path}`, content);
    await expect(copyAndVerify(sandbox)).rejects.toThrow(
      `Source repository is damaged: ${finding}`,
    );
  });

  it('is found when a branch names a tag, or packed-refs a wrong target of a tag', async () => {
    makeBareRepository(source);
    const tag = gitIn(source, ['rev-parse', 'v1']);
    fs.writeFileSync(`${source}/refs/heads/tagged`, `${tag}\n`);
    await expect(copyAndVerify(sandbox)).rejects.toThrow('refs/heads/tagged is a tag');
    fs.rmSync(sandbox.temporary, { recursive: true });
    fs.rmSync(`${source}/refs/heads/tagged`);
    gitIn(source, ['pack-refs', '--all']);
    const text = fs.readFileSync(`${source}/packed-refs`, 'utf8');
    const main = gitIn(source, ['rev-parse', 'main']);
    fs.writeFileSync(`${source}/packed-refs`, text.replace(/\^[0-9a-f]{40}/, `^${main}`));
    await expect(copyAndVerify(sandbox)).rejects.toThrow('a wrong target of refs/tags/v1');
  });
});
