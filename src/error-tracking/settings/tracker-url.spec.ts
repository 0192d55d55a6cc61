import { describe, expect, it } from '@jest/globals';
import { projectNameFrom, trackerExternalUrl, trackerUrlProblems } from './tracker-url.js';

const API = 'https://tracker.example.com/api/0/projects/tools/my-lathe/';

describe('the API address of an external tracker', () => {
  it.each([
    API,
    'http://tracker.example.com:9000/api/0/projects/tools/lathe',
    'https://93.184.216.34/api/0/projects/tools/lathe/',
    'https://[2606:2800:220:1::1]/api/0/projects/tools/lathe/',
    `https://tracker.example.com/api/0/projects/tools/${'x'.repeat(206)}`,
  ])('may be %s', (url) => {
    expect(trackerUrlProblems(url)).toEqual({});
  });

  it.each([
    ['no address', 'tracker'],
    ['a script', 'javascript:alert(1)//api/0/projects/a/b'],
    ['another protocol', 'ftp://tracker.example.com/api/0/projects/a/b'],
    ['another path', 'https://tracker.example.com/api/1/projects/a/b'],
    ['markup', 'https://tracker.example.com/api/0/projects/a/<b>'],
    ['a quote', 'https://tracker.example.com/api/0/projects/a/"b'],
    ['other letters than ASCII', 'https://tracker.example.com/api/0/projects/a/ü'],
    ['a space', 'https://tracker.example.com/api/0/projects/a/b c'],
    ['a backslash', 'https:\\\\tracker.example.com/api/0/projects/a/b'],
    ['credentials', 'https://me:secret@tracker.example.com/api/0/projects/a/b'],
    ['a broken host', 'https://tracker..example:x/api/0/projects/a/b'],
    ['this machine', 'http://localhost/api/0/projects/a/b'],
    ['this machine with a dot', 'http://localhost./api/0/projects/a/b'],
    ['a name below it', 'http://x.localhost/api/0/projects/a/b'],
    ['its address', 'http://127.0.0.1/api/0/projects/a/b'],
    ['its address as a number', 'http://2130706433/api/0/projects/a/b'],
    ['its other address', 'http://[::1]/api/0/projects/a/b'],
    ['its address in IPv6', 'http://[::ffff:127.0.0.1]/api/0/projects/a/b'],
    ['an address of a local net', 'http://192.168.1.7/api/0/projects/a/b'],
    ['a link-local address', 'http://169.254.169.254/api/0/projects/a/b'],
    ['a local address of IPv6', 'http://[fd00::1]/api/0/projects/a/b'],
  ])('is not %s', (_, url) => {
    expect(trackerUrlProblems(url)).toEqual({ api_url: ['is invalid'] });
  });

  it('names a project', () => {
    const problems = { project: ['is a required field'] };
    expect(trackerUrlProblems('https://tracker.example.com/api/0/projects/tools/')).toEqual(
      problems,
    );
    expect(trackerUrlProblems('https://tracker.example.com/api/0/projects')).toEqual(problems);
    expect(trackerUrlProblems(`${API}issues/`)).toEqual(problems);
  });

  it('has at most 255 characters', () => {
    const url = `https://tracker.example.com/api/0/projects/tools/${'x'.repeat(207)}`;
    expect(url).toHaveLength(256);
    expect(trackerUrlProblems(url)).toEqual({
      api_url: ['is too long (maximum is 255 characters)'],
    });
  });

  it('returns the web URL and the name of the project', () => {
    expect(trackerExternalUrl(API)).toBe('https://tracker.example.com/tools/my-lathe/');
    expect(projectNameFrom(API)).toBe('My Lathe');
    expect(projectNameFrom('https://tracker.example.com/api/0/projects/a/the_big--shop')).toBe(
      'The Big Shop',
    );
  });
});
