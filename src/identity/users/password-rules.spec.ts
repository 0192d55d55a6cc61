import { describe, expect, it } from '@jest/globals';
import { passwordProblems } from './password-rules.js';

const OWNER = { username: 'sam-weaver', name: 'Samantha Ödegaard', email: 'sw@looms.example' };
const SETTINGS = { minimum_password_length: 8 };
const COMMON = ['must not contain commonly used combinations of words and letters'];

const problems = (password: string): string[] => passwordProblems(password, OWNER, SETTINGS);

describe('a password', () => {
  it.each([
    'plum-orbit-kettle-42',
    'correct horse battery',
    'zK8#vq2!',
    'пароль для дома',
    '山川草木花鳥風月',
  ])('may be %p', (password) => {
    expect(problems(password)).toEqual([]);
  });

  it('has as many characters as the setting says, and at most 128', () => {
    expect(problems('zK8#vq2')).toEqual(['is too short (minimum is 8 characters)']);
    expect(passwordProblems('zK8#vq2!', OWNER, { minimum_password_length: 12 })).toEqual([
      'is too short (minimum is 12 characters)',
    ]);
    expect(problems('zK8#vq2!'.repeat(16).slice(1) + 'y')).toEqual([]);
    expect(problems('zK8#vq2!'.repeat(16) + 'y')).toEqual([
      'is too long (maximum is 128 characters)',
    ]);
  });

  it.each([
    'password',
    'Password1',
    'P@ssw0rd!',
    'passwordpassword',
    '123Monkey!',
    'we1c0me2024',
    'trustno1!!',
    'iloveyou!!',
    '12345678',
    '87654321',
    'aaaaaaaa',
    'abcabcabc',
    'abcdefgh',
    'qwertyuiop',
    'poiuytrewq',
    '1qaz2wsx',
    '1q2w3e4r',
    '147258369',
    'asdfghjkl1!',
    '!@#$%^&*',
    'correct-horse-battery-staple',
  ])('must not be as common as %p', (password) => {
    expect(problems(password)).toEqual(COMMON);
  });

  it.each([
    ['the username', 'my-Sam-Weaver-x9'],
    ['a part of the username', 'hi-weaver-x9-k2'],
    ['a part of the name', 'xx9-samantha-k2'],
    ['a part of the name in another case', 'xx9-ÖDEGAARD-k2'],
    ['a part of the address', 'xx9looms77k2q'],
    ['the name of the product', 'x9-GuildHall-k2'],
  ])('must not contain %s', (_, password) => {
    expect(problems(password)).toEqual(COMMON);
  });

  it('may contain what is too short to mean a name', () => {
    expect(problems('sw-plum-orbit-kettle')).toEqual([]);
  });
});
