import { describe, expect, it } from '@jest/globals';
import type { ExceptionDetails, FrameDetails } from './trace-details.js';
import { exceptionTitle, frameLocation, traceText } from './event-details.js';

const NOWHERE: FrameDetails = {
  filename: null,
  absPath: null,
  function: null,
  module: null,
  line: null,
  column: null,
  isInApp: true,
  context: [],
  failingLine: null,
  variables: [],
};

const exceptionOf = (
  type: string | null,
  value: string | null,
  frames: FrameDetails[] = [],
): ExceptionDetails => ({ type, value, module: 'shop', mechanism: null, frames });

describe('the text of a stack', () => {
  it('has what was thrown first, its causes below, and the newest call on top', () => {
    const outer = { ...NOWHERE, function: 'handle', filename: 'router.js', line: 21 };
    const inner = { ...NOWHERE, function: 'sumOf', filename: 'cart.js', line: 17, column: 9 };
    const exceptions = [
      exceptionOf('RangeError', 'no items'),
      exceptionOf('TypeError', 'x is undefined', [outer, inner]),
    ];
    expect(traceText({ exceptions, threads: [] })).toBe(
      'TypeError: x is undefined\n' +
        '    at sumOf (cart.js:17:9)\n' +
        '    at handle (router.js:21)\n' +
        'Caused by: RangeError: no items',
    );
  });

  it('takes the stack of the first thread where exceptions have none', () => {
    const thread = { id: '1', name: null, isCrashed: true, isCurrent: true };
    const threads = [
      { ...thread, frames: [{ ...NOWHERE, function: 'main' }] },
      { ...thread, frames: [{ ...NOWHERE, function: 'idle' }] },
    ];
    expect(traceText({ exceptions: [exceptionOf('Abort', null)], threads })).toBe(
      'Abort\n    at main',
    );
    expect(traceText({ exceptions: [], threads: [] })).toBe('');
  });

  it('names what has no name', () => {
    expect(exceptionTitle(exceptionOf(null, 'v'))).toBe('v');
    expect(exceptionTitle(exceptionOf('', null))).toBe('shop');
    expect(exceptionTitle({ ...exceptionOf(null, null), module: null })).toBe('Unnamed exception');
    const frames = [NOWHERE];
    expect(traceText({ exceptions: [exceptionOf('A', 'b', frames)], threads: [] })).toBe(
      'A: b\n    at (anonymous)',
    );
  });

  it('shows the known parts of a location', () => {
    expect(frameLocation(NOWHERE)).toBeNull();
    expect(frameLocation({ ...NOWHERE, module: 'com.shop.Cart' })).toBe('com.shop.Cart');
    expect(frameLocation({ ...NOWHERE, absPath: '/srv/a.py', line: 3 })).toBe('/srv/a.py:3');
    expect(frameLocation({ ...NOWHERE, filename: 'a.js', column: 3 })).toBe('a.js');
  });
});
