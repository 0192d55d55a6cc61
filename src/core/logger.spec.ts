import fs from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLog, sourceStack, ReadableLog } from './logger.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const written: string[] = [];
afterAll(() => Promise.all(written.map((path) => rm(path))));

async function writeMap(file: string, content: string): Promise<void> {
  const path = join(FOLDER, `${file}.map`);
  written.push(path);
  await writeFile(path, content);
}

const stackAt = (place: string): string => `Error: lost\n    at work (file://${FOLDER}/${place})`;
const map = (mappings: string) =>
  JSON.stringify({ version: 3, sources: ['../a.ts'], names: [], mappings });

describe('the stack of an error in the bundle', () => {
  it('has positions in the sources', async () => {
    await writeMap('mapped.js', map('AACA'));
    expect(sourceStack(stackAt('mapped.js:1:1'))).toBe(
      `Error: lost\n    at work (${dirname(FOLDER)}/a.ts:2:1)`,
    );
  });

  it.each([
    ['code that the bundler added', 'added.js', map('A,CAAA')],
    ['a map that cannot be read', 'broken.js', '{'],
  ])('keeps its positions in %s', async (_, file, content) => {
    await writeMap(file, content);
    expect(sourceStack(stackAt(`${file}:1:1`))).toBe(
      `Error: lost\n    at work (${FOLDER}/${file}:1:1)`,
    );
  });

  it('keeps its positions in files without a map', () => {
    expect(sourceStack(stackAt('none.js:3:4'))).toContain(`${FOLDER}/none.js:3:4`);
  });
});

describe('the log on a terminal', () => {
  it('is a line per record, whose texts cannot control the terminal', () => {
    const written: string[] = [];
    const log = createLog('info', new ReadableLog((text) => written.push(text)));
    log.info({ port: 3000, host: '::' }, 'web process is ready');
    log.warn({ context: 'RateStore', path: '/\u001b[2J\r\nx' }, 'slow');
    log.error({ err: new Error('lost'), password: 'hunter2' }, 'failed');
    const [ready, slow, failed] = written.map(stripVTControlCharacters);
    expect(ready).toMatch(
      /^\d\d:\d\d:\d\d info {2}web process is ready {2}port=3000 {2}host=::\n$/,
    );
    expect(slow).toMatch(/ warn {2}RateStore {2}slow {2}path=\/ {2}x\n$/);
    expect(failed).toMatch(/ error failed {2}lost {2}password=\[secret\]\nError: lost\n {4}at /);
  });
});

type WriteCallback = (error: null, bytes: number) => void;

describe('the log on standard output', () => {
  let write: jest.SpiedFunction<typeof fs.write>;
  /** Ends the last write. */
  let end: () => void;
  beforeEach(() => {
    jest.useFakeTimers();
    write = jest.spyOn(fs, 'write');
    write.mockImplementation(((...[, text, done]: [number, string, WriteCallback]) => {
      end = () => done(null, Buffer.byteLength(text));
    }) as never);
  });
  afterEach(() => {
    jest.useRealTimers();
    write.mockRestore();
  });

  it('writes lines together, and nothing when there are none', () => {
    const log = createLog('info');
    jest.advanceTimersByTime(1_000);
    expect(write).not.toHaveBeenCalled();
    log.info('one');
    log.info('two');
    jest.advanceTimersByTime(1_000);
    expect(write.mock.calls).toEqual([
      [1, expect.stringMatching(/"one".*\n.*"two"/), expect.anything()],
    ]);
    end();
    jest.advanceTimersByTime(1_000);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('writes a line that came during a write, after it', () => {
    const log = createLog('info');
    log.info('one');
    jest.advanceTimersByTime(100);
    log.info('two');
    jest.advanceTimersByTime(1_000);
    expect(write).toHaveBeenCalledTimes(1);
    end();
    jest.advanceTimersByTime(100);
    expect(write).toHaveBeenLastCalledWith(1, expect.stringMatching(/"two"/), expect.anything());
    end();
  });
});
