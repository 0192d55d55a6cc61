import { describe, expect, it } from '@jest/globals';
import { listId } from './mail.js';

describe('the list of a project', () => {
  it('is named after its path from the inside out', () => {
    const project = { id: 10, path: 'Big_Town/city.hall/door' };
    expect(listId(project, 'guildhall.example')).toBe(
      '10.door.city-hall.big-town.guildhall.example',
    );
  });

  it('has no more than 255 characters, cut at a dot', () => {
    const groups = Array.from({ length: 20 }, (_, at) => `group-${at}-${'x'.repeat(12)}`);
    const id = listId({ id: 123, path: [...groups, 'door'].join('/') }, 'guildhall.example');
    expect(id.length).toBeLessThanOrEqual(255);
    expect(id).toMatch(/^123\.door\.group-19-x{12}\..*\.group-\d+-x{12}\.\.\.guildhall\.example$/);
  });

  it('has no more than 255 characters when there is no dot to cut at', () => {
    const id = listId({ id: 1, path: 'x'.repeat(255) }, 'guildhall.example');
    expect(id).toHaveLength(255);
    expect(id).toMatch(/^1\.x+\.\.\.guildhall\.example$/);
  });
});
