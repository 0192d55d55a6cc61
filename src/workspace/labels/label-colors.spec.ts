import { describe, expect, it } from '@jest/globals';
import { parseColor, textColor } from './label-colors.js';

describe('colors of labels', () => {
  it.each([
    ['#F00', '#ff0000'],
    [' #Ff0000 ', '#ff0000'],
    ['rebeccapurple', '#663399'],
    ['Tomato', '#ff6347'],
    ['#ff00', null],
    ['ff0000', null],
    ['constructor', null],
    ['', null],
  ])('read %p as %p', (text, color) => {
    expect(parseColor(text)).toBe(color);
  });

  it.each([
    ['#ffffff', '#1F1E24'],
    ['#000000', '#FFFFFF'],
    ['#6699cc', '#1F1E24'],
    ['#330066', '#FFFFFF'],
  ])('put on %s the text %s', (color, text) => {
    expect(textColor(color)).toBe(text);
  });
});
