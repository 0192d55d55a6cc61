import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CopiedRepository,
  copyRepository,
} from '../../src/storage-moves/engine/copy-repository.js';
import { MoveError } from '../../src/storage-moves/engine/move-error.js';
import { verifyRepository } from '../../src/storage-moves/engine/verify-repository.js';
import { fingerprint, makeTemplate } from './support/content.js';

const COPIES = 200;
const KINDS = {
  pack: /\.pack$/,
  index: /\.idx$/,
  'loose object': /^objects\/..\//,
  references: /^packed-refs$/,
  HEAD: /^HEAD$/,
  config: /^config$/,
  attributes: /^info\/attributes$/,
};

let folder: string;
let source: string;
let before: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-flips-'));
  source = join(folder, 'source.git');
  await makeTemplate(source);
  before = await fingerprint(source);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Another byte of another file with every number, from the first byte of files to their last. */
async function flipByte(copy: string, files: readonly string[], step: number): Promise<void> {
  const path = join(copy, files[step % files.length] ?? '');
  const content = await readFile(path);
  const position = Math.floor(((step * 0.618_034) % 1) * content.length);
  content[position] = (content[position] ?? 0) ^ (1 << (step % 8));
  await rm(path);
  await writeFile(path, content);
}

async function isFound(copy: string, copied: CopiedRepository): Promise<boolean> {
  const { signal } = new AbortController();
  try {
    await verifyRepository(source, copy, { copied, label: 'project', signal });
    return false;
  } catch (error) {
    if (!(error instanceof MoveError)) throw error;
    return /^Failed to verify project repository/.test(error.message);
  }
}

describe('a byte that changes between copy and verification', () => {
  const kinds = Object.entries(KINDS);
  const share = Math.ceil(COPIES / kinds.length);
  it.each(kinds)(`is found ${share} times of ${share} in: %s`, async (_name, pattern) => {
    let found = 0;
    for (let step = 0; step < share; step += 1) {
      const copy = join(folder, 'copy.git');
      const { signal } = new AbortController();
      const copied = await copyRepository(source, copy, { signal, onProgress: () => undefined });
      const files = [...copied.digests.keys()].filter((path) => pattern.test(path));
      await flipByte(copy, files, step);
      if (await isFound(copy, copied)) found += 1;
      await rm(copy, { recursive: true });
    }
    expect(found).toBe(share);
    expect(await fingerprint(source)).toBe(before);
  });
});
