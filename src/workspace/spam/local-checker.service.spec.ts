import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import {
  hostOf,
  linksIn,
  LOCAL_RULES,
  nothingButLinks,
  repeatedText,
  scriptLink,
  tollFreeNumbers,
  tooManyLinks,
  type SpamFacts,
} from './local-checker.service.js';

const HOUR = 1;
const YEAR = 365 * 24;

function facts(attributes: Partial<SpamFacts>): SpamFacts {
  return {
    kind: 'issue',
    title: 'Title',
    prose: '',
    files: [],
    accountAgeHours: YEAR,
    repetitions: 0,
    ownHost: 'guildhall.example',
    ...attributes,
  };
}

function links(count: number, host = 'shop.example'): string {
  return Array.from({ length: count }, (_, n) => `see https://${host}/${n} now`).join('\n');
}

describe('links', () => {
  it('are found in prose, markup and code, without what surrounds them', () => {
    const text = '(https://a.example/x) "http://b.example" <www.c.example/?q=1> ftp://d www.';
    expect(linksIn(text)).toEqual([
      'https://a.example/x',
      'http://b.example',
      'www.c.example/?q=1',
    ]);
  });

  it.each([
    ['https://Shop.Example:8443/path?x#y', 'shop.example'],
    ['www.shop.example/path', 'www.shop.example'],
    ['https://guildhall.example@shop.example/', 'shop.example'],
    ['http://shop.example?guildhall.example', 'shop.example'],
  ])('%s leads to %s', (link, host) => {
    expect(hostOf(link)).toBe(host);
  });
});

describe('too many links', () => {
  it.each([
    [HOUR, 5],
    [25, 20],
    [YEAR, 60],
  ])('from an account of %i hours are more than %i', (accountAgeHours, allowed) => {
    expect(tooManyLinks(facts({ accountAgeHours, prose: links(allowed) }))).toBeNull();
    expect(tooManyLinks(facts({ accountAgeHours, prose: links(allowed + 1) }))).toBe(
      `${allowed + 1} links`,
    );
  });

  it('are not those to the instance itself, nor those in code', () => {
    const own = links(100, 'guildhall.example');
    expect(tooManyLinks(facts({ accountAgeHours: HOUR, prose: own }))).toBeNull();
    expect(tooManyLinks(facts({ accountAgeHours: HOUR, files: [links(100)] }))).toBeNull();
  });
});

describe('links in merge requests', () => {
  const kind = 'merge_request';

  it('count by their hosts, because bots quote release notes', () => {
    expect(tooManyLinks(facts({ kind, accountAgeHours: HOUR, prose: links(200) }))).toBeNull();
    const hosts = (count: number): string =>
      Array.from({ length: count }, (_, n) => links(2, `shop${n}.example`)).join('\n');
    expect(tooManyLinks(facts({ kind, prose: hosts(20) }))).toBeNull();
    expect(tooManyLinks(facts({ kind, prose: hosts(21) }))).toBe('links to 21 hosts');
  });

  it('may repeat with their text, because tools open the same one in many projects', () => {
    expect(repeatedText(facts({ kind, prose: links(1), repetitions: 50 }))).toBeNull();
  });
});

describe('nothing but links', () => {
  const heap = 'https://a.example/1 https://b.example/2\nhttps://c.example/3';

  it('is refused from new accounts in description and files', () => {
    expect(nothingButLinks(facts({ accountAgeHours: HOUR, prose: heap }))).toBe('only links');
    expect(nothingButLinks(facts({ accountAgeHours: HOUR, files: ['code', heap] }))).toBe(
      'only links',
    );
  });

  it('is taken from known accounts in files, and in descriptions up to a bound', () => {
    const long = heap.repeat(4).replaceAll('https', ' https');
    expect(nothingButLinks(facts({ prose: heap, files: [long] }))).toBeNull();
    expect(nothingButLinks(facts({ prose: long }))).toBe('only links');
  });

  it('is not a text with links', () => {
    const prose = `These three pages do not load any more:\n${heap}`;
    expect(nothingButLinks(facts({ accountAgeHours: HOUR, prose }))).toBeNull();
  });
});

describe('links that run scripts', () => {
  it.each([
    '[win](javascript:alert(1))',
    '[win]( JavaScript:alert(1))',
    '<vbscript:x>',
    '<a href = "javascript:alert(1)">win</a>',
    '[win](data:text/html;base64,PHNjcmlwdD4=)',
  ])('%s is refused', (prose) => {
    expect(scriptLink(facts({ prose }))).toBe('a link that runs a script');
  });

  it.each([
    'The link `[x](javascript:alert(1))` is not escaped',
    '```html\n<a href="javascript:void(0)">\n```',
    'We use javascript: a lot, and data:text/html as well',
    '![chart](data:image/png;base64,iVBOR)',
  ])('%j is taken', (prose) => {
    expect(scriptLink(facts({ prose }))).toBeNull();
  });

  it('are taken in code', () => {
    expect(scriptLink(facts({ files: ['<a href="javascript:void(0)">'] }))).toBeNull();
  });
});

describe('the same text', () => {
  it('is refused the sixth time', () => {
    expect(repeatedText(facts({ repetitions: 4 }))).toBeNull();
    expect(repeatedText(facts({ repetitions: 5 }))).toBe('the same text 6 times');
  });

  it('are not short comments without a link', () => {
    const comment = { kind: 'comment', title: '', repetitions: 5 } as const;
    const reason = (more: Partial<SpamFacts>): string | null =>
      repeatedText(facts({ ...comment, ...more }));
    expect(reason({ prose: 'x'.repeat(40) })).toBeNull();
    expect(reason({ prose: 'x'.repeat(41) })).not.toBeNull();
    expect(reason({ prose: 'www.s.example' })).not.toBeNull();
    expect(reason({ prose: 'LGTM', title: 'A new title' })).not.toBeNull();
    expect(reason({ prose: 'LGTM', kind: 'issue' })).not.toBeNull();
  });
});

describe('toll-free numbers', () => {
  it('in titles of new accounts are refused, of known ones taken', () => {
    const title = 'Airline support +1-(888)-555-0100 call now';
    expect(tollFreeNumbers(facts({ accountAgeHours: HOUR, title }))).toBe('toll-free numbers');
    expect(tollFreeNumbers(facts({ title }))).toBeNull();
  });

  it('are not dates, ids or addresses', () => {
    const prose = '2026-11-21 10:48:02 192.168.100.200 1800000000 +49 30 1234567';
    expect(tollFreeNumbers(facts({ accountAgeHours: HOUR, title: prose, prose }))).toBeNull();
  });
});

describe('all rules together', () => {
  it('stay fast for a mebibyte of anything', () => {
    const texts = ['`', '```', '](', 'www.', 'https://a ', '1 ', '1-8', '<', 'href='];
    for (const text of texts) {
      const prose = text.repeat(Math.ceil((1024 * 1024) / text.length));
      const submission = facts({ accountAgeHours: HOUR, prose, files: [prose] });
      const effort = effortOf(() => LOCAL_RULES.map((rule) => rule(submission)));
      expect(effort).toBeLessThan(15);
    }
  });
});
