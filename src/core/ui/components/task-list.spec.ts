import { describe, expect, it } from '@jest/globals';
import { textDigest, toggledTask } from './task-list.js';

const toggle = (text: string, task: string) =>
  toggledTask(text, { task, digest: textDigest(text) });

describe('toggledTask', () => {
  it.each([
    ['- [ ] a', '- [x] a'],
    ['- [X] a', '- [ ] a'],
    ['> 1. [ ] a [ ]', '> 1. [x] a [ ]'],
    ['- - [ ] a', '- - [x] a'],
    ['x\r\n\r\n- [ ] a\r\n', 'x\r\n\r\n- [x] a\r\n'],
    ['```\n- [ ] code\n```\n* [ ] a', '```\n- [ ] code\n```\n* [x] a'],
  ])('makes of %j %j', (text, toggled) => {
    expect(toggle(text, '0')).toBe(toggled);
  });

  it('rejects unknown tasks and changed text', () => {
    expect(['1', '-1', 'x', '0.5'].map((task) => toggle('- [ ] a', task))).toEqual(
      Array(4).fill(null),
    );
    expect(toggledTask('- [ ] a', { task: '0', digest: textDigest('- [ ] b') })).toBeNull();
  });
});
