import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from './document.js';

const targetsFor = (url: string): string | undefined =>
  pageHeaders({ formTargets: [url] })['Content-Security-Policy']?.split("form-action 'self' ")[1];

describe('where the forms of a page may lead', () => {
  it.each([
    ['https://app.example/cb?a=b', 'https://app.example'],
    ['HTTP://Localhost:8080/cb', 'http://localhost:8080'],
    ['https://münchen.example/cb', 'https://xn--mnchen-3ya.example'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['http://[::1]:8080/cb', 'http:'],
    ['http://my_app:8080/cb', 'http:'],
  ])('%s is the source %s', (url, source) => expect(targetsFor(url)).toBe(source));

  it.each(['https://a;sandbox/cb', 'https://a,sandbox/cb', 'https://*/', "https://'none'/"])(
    '%s is no more than its scheme: a host begins no directive and no pattern',
    (url) => expect(targetsFor(url)).toBe('https:'),
  );
});
