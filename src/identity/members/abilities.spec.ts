import { describe, expect, it } from '@jest/globals';
import { canInGroup, canInProject, type ProjectAbility } from './abilities.js';

const MEMBER = { admin: false, external: false };
const EXTERNAL = { admin: false, external: true };
const ADMIN = { admin: true, external: false };

describe('abilities in a project', () => {
  it.each<[ProjectAbility, number]>([
    ['read_project', 10],
    ['read_code', 20],
    ['create_snippet', 20],
    ['create_issue', 10],
    ['read_confidential_issue', 20],
    ['read_note', 10],
    ['read_internal_note', 20],
    ['admin_note', 40],
    ['read_environment', 20],
    ['admin_environment', 30],
    ['admin_issue', 20],
    ['delete_issue', 50],
    ['push_code', 30],
    ['push_protected', 40],
    ['admin_project', 40],
    ['own_project', 50],
  ])('%s in a private project takes level %i', (ability, level) => {
    const access = { visibility: 0, viewer: MEMBER };
    expect(canInProject(ability, { ...access, accessLevel: level })).toBe(true);
    expect(canInProject(ability, { ...access, accessLevel: level - 5 })).toBe(false);
  });

  it('opens reading of a public project to everyone, pushing to no one', () => {
    const access = { visibility: 20, accessLevel: 0, viewer: null };
    expect(canInProject('read_code', access)).toBe(true);
    expect(canInProject('push_code', access)).toBe(false);
  });

  it('lets signed-in users write issues and read notes in a public project', () => {
    const access = { visibility: 20, accessLevel: 0 };
    expect(canInProject('create_issue', { ...access, viewer: EXTERNAL })).toBe(true);
    expect(canInProject('create_issue', { ...access, viewer: null })).toBe(false);
    expect(canInProject('read_note', { ...access, viewer: EXTERNAL })).toBe(true);
    expect(canInProject('read_note', { ...access, viewer: null })).toBe(false);
    expect(canInProject('read_internal_note', { ...access, viewer: MEMBER })).toBe(false);
    expect(canInProject('read_confidential_issue', { ...access, viewer: MEMBER })).toBe(false);
  });

  it('opens an internal project to the signed-in but not to external users', () => {
    const access = { visibility: 10, accessLevel: 0 };
    expect(canInProject('read_project', { ...access, viewer: MEMBER })).toBe(true);
    expect(canInProject('read_project', { ...access, viewer: EXTERNAL })).toBe(false);
    expect(canInProject('read_project', { ...access, viewer: null })).toBe(false);
  });

  it('lets administrators do everything', () => {
    const access = { visibility: 0, accessLevel: 0, viewer: ADMIN };
    expect(canInProject('own_project', access)).toBe(true);
    expect(canInGroup('admin_group', access)).toBe(true);
  });
});
