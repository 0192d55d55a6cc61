import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Throttle } from './copy-file.js';
import { assertSpace } from './storage-root.js';
import { createFailpoint } from './failpoints.js';
import { eachInSlices, forEachLimited } from './file-io.js';
import { Flusher } from './filesystem-flush.js';
import { asMoveError, MoveError } from './move-error.js';

describe('assertSpace', () => {
  const need = { storage: 'storage2', root: tmpdir(), bytesReservedByOthers: 0 };

  it('accepts what fits and names storage, need and free bytes otherwise', async () => {
    await assertSpace({ ...need, bytesNeeded: 1000, filesNeeded: 10 });
    await expect(assertSpace({ ...need, bytesNeeded: 1e15, filesNeeded: 10 })).rejects.toThrow(
      /^Not enough space on storage storage2: need \d{16}, free \d+$/,
    );
  });

  it('counts what other moves have still to write, and inodes', async () => {
    const reserved = { ...need, bytesNeeded: 1, filesNeeded: 1, bytesReservedByOthers: 1e15 };
    await expect(assertSpace(reserved)).rejects.toThrow('Not enough space on storage storage2');
    await expect(assertSpace({ ...need, bytesNeeded: 1, filesNeeded: 1e12 })).rejects.toThrow(
      /^Not enough inodes on storage storage2: need 1000000001000, free \d+$/,
    );
  });
});

describe('asMoveError', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });

  it.each([
    ['ENOSPC', 'Storage s2 is full (ENOSPC)', false],
    ['EDQUOT', 'Storage s2 has reached its quota (EDQUOT)', false],
    ['EROFS', 'Storage s2 is mounted read-only (EROFS)', false],
    ['EIO', 'Storage s2 reports an input/output error (EIO)', true],
    ['ESTALE', 'Storage s2 has a stale file handle (ESTALE)', true],
  ])('returns for %s: %s', (code, message, transient) => {
    expect(asMoveError(failure(code), 'Storage s2')).toMatchObject({ message, transient });
  });

  it('leaves a move error, an abort and a mistake of the program alone', () => {
    for (const error of [new MoveError('x'), new Error('y'), failure('ERR_INVALID_ARG_TYPE')]) {
      expect(asMoveError(error, 'Storage s2')).toBe(error);
    }
  });
});

describe('createFailpoint', () => {
  it('fails at the given passage of the given place and nowhere else', async () => {
    const failpoint = createFailpoint({ point: 'copy.after-pack:2', action: 'throw:ENOSPC' });
    await failpoint('copy.after-pack');
    await failpoint('copy.after-head');
    await expect(failpoint('copy.after-pack')).rejects.toMatchObject({ code: 'ENOSPC' });
    await failpoint('copy.after-pack');
  });

  it('does nothing without a setting', async () => {
    await createFailpoint({ point: undefined, action: undefined })('copy.after-pack');
  });
});

describe('Throttle', () => {
  const { signal } = new AbortController();

  it('limits the rate and accumulates only a short idle time', async () => {
    let now = 0;
    const throttle = new Throttle(1_000_000, () => now);
    now = 60_000;
    await throttle.take(250_000, signal);
    let hasPassed = false;
    const rest = throttle.take(50_000, signal)?.then(() => (hasPassed = true));
    now += 45;
    await delay(60);
    expect(hasPassed).toBe(false);
    now += 10;
    await rest;
  });

  it('applies a changed limit to waiting moves', async () => {
    const throttle = new Throttle(1);
    const waiting = throttle.take(1_000_000, signal);
    throttle.setLimit(null);
    await waiting;
    expect(throttle.take(1_000_000, signal)).toBeUndefined();
  });

  it('leaves no debt after an aborted move', async () => {
    const throttle = new Throttle(1000);
    const aborted = throttle.take(1_000_000_000, AbortSignal.timeout(20));
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    await throttle.take(100, signal);
  });

  it('stops waiting when the move is aborted', async () => {
    const waiting = new Throttle(1).take(1000, AbortSignal.timeout(20));
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('Flusher', () => {
  const counting = (log: string) =>
    `while IFS= read -r path; do echo "$path" >> ${log}; sleep 0.05; echo ok; done`;

  it('lets callers that come during a flush share the next one', async () => {
    const log = `${fs.mkdtempSync(`${tmpdir()}/guildhall-flush-`)}/log`;
    const flusher = new Flusher(counting(log));
    const flushes = [flusher.flush('/a'), flusher.flush('/a'), flusher.flush('/a')];
    expect(await Promise.all([...flushes, flusher.flush('/b')])).toEqual([true, true, true, true]);
    expect(fs.readFileSync(log, 'utf8').trim().split('\n').sort()).toEqual(['/a', '/a', '/b']);
  });

  it('flushes a real filesystem, and reports a failed flush each time', async () => {
    expect(await new Flusher().flush(tmpdir())).toBe(true);
    const failing = new Flusher('while read -r path; do echo "failed Input/output error"; done');
    for (let round = 0; round < 2; round += 1) {
      await expect(failing.flush('/a')).rejects.toThrow(
        'Storage could not be flushed: Input/output error',
      );
    }
  });

  it('reports a shell that dies and starts another', async () => {
    const flusher = new Flusher('read -r path; exit 1');
    await expect(flusher.flush('/a')).rejects.toThrow('sync was killed');
    await expect(flusher.flush('/a')).rejects.toThrow('sync was killed');
  });

  it('fails where sync supports no single filesystem', async () => {
    const old = new Flusher('read -r path; echo "failed sync: invalid option -- f"');
    expect(await old.flush('/a')).toBe(false);
    expect(await new Flusher(undefined, 'darwin').flush('/a')).toBe(false);
  });
});

describe('running many small tasks', () => {
  it('waits for running tasks before it reports the first failure', async () => {
    const done: number[] = [];
    const run = forEachLimited([1, 2, 3, 4], { parallel: 2 }, async (item) => {
      if (item === 1) throw new Error('first');
      await new Promise((resolve) => setImmediate(resolve));
      done.push(item);
    });
    await expect(run).rejects.toThrow('first');
    expect(done).toEqual([2]);
  });

  it('lets other work in and stops at an abort', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    let handled = 0;
    const run = eachInSlices(
      Array.from({ length: 1_000_000 }, (_, index) => index),
      () => {
        handled += 1;
        const until = performance.now() + 1;
        while (performance.now() < until);
      },
      { signal: controller.signal },
    );
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(handled).toBeLessThan(100);
  });
});
