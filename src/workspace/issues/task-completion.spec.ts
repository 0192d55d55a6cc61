import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import { taskCompletion } from './task-completion.js';

describe('taskCompletion', () => {
  it.each<[string | null, number, number]>([
    [null, 0, 0],
    ['', 0, 0],
    ['Nothing [ ] here', 0, 0],
    ['- [ ] a\n- [x] b\n- [X] c', 3, 2],
    ['* [ ] a\n+ [x] b\n1. [x] c\n2) [ ] d', 4, 2],
    ['> - [x] quoted\n\n  - [ ] nested', 2, 1],
    ['- [ ]', 0, 0],
    ['- [y] a\n-[x] b', 0, 0],
    ['```\n- [ ] code\n```\n- [x] task', 1, 1],
    ['~~~~\n```\n- [ ] code\n~~~\n- [ ] code\n~~~~\n- [ ] task', 1, 0],
    ['- [x] a\r\n- [ ] b\r\n', 2, 1],
  ])('%j has %i tasks, %i of them done', (markdown, count, completed) => {
    expect(taskCompletion(markdown)).toEqual({ count, completed });
  });

  it('stays fast for a text that is nothing but beginnings of tasks', () => {
    const text = `${' >'.repeat(250_000)}[ ]\n${'- ['.repeat(100_000)}`;
    expect(effortOf(() => taskCompletion(text))).toBeLessThan(15);
  });
});
