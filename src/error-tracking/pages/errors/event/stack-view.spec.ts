import { describe, expect, it } from '@jest/globals';
import type { FrameDetails } from '../../../events/trace-details.js';
import { frameBlocks } from './stack-view.js';

function frameOf(name: string): FrameDetails {
  return {
    filename: null,
    absPath: null,
    function: name,
    module: null,
    line: null,
    column: null,
    isInApp: name.startsWith('own'),
    context: [],
    failingLine: null,
    variables: [],
  };
}

/** Kinds of the blocks with their functions and indexes. */
function blocksOf(...names: string[]): string[] {
  return frameBlocks(names.map(frameOf)).map(({ kind, frames }) => {
    const inside = frames.map(({ frame, index }) => `${index} ${frame.function}`);
    return `${kind}: ${inside.join(', ')}`;
  });
}

describe('blocks of frames', () => {
  it('begin with the newest call, and keep runs of library calls together', () => {
    expect(blocksOf('lib a', 'lib b', 'own c', 'own d', 'lib e', 'own f', 'lib g')).toEqual([
      'library: 0 lib g',
      'own: 1 own f',
      'library: 2 lib e',
      'own: 3 own d',
      'own: 4 own c',
      'library: 5 lib b, 6 lib a',
    ]);
  });

  it('fold nothing where no call is of the program itself', () => {
    expect(blocksOf('lib a', 'lib b')).toEqual(['own: 0 lib b', 'own: 1 lib a']);
    expect(blocksOf()).toEqual([]);
  });
});
