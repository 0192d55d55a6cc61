import { describe, expect, it } from '@jest/globals';
import { objectFormat, parseGitConfig, stripHostileConfig } from './git-config.js';

const HARMLESS = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

describe('parseGitConfig', () => {
  it('reads sections, both kinds of subsection, quotes, continuation lines and comments', () => {
    const text =
      '\u00ef\u00bb\u00bf; head\n[Core] Bare\n[a "B \\"c\\""]\r\n key = "x # y" z \\\n more ; end\r\n' +
      '[Old.Style]k-1=\\t\\"q\\"\n';
    expect(parseGitConfig(text).map(({ start: _s, end: _e, ...entry }) => entry)).toEqual([
      { section: 'core', subsection: '', key: 'bare', value: null },
      { section: 'a', subsection: 'B "c"', key: 'key', value: 'x # y z  more' },
      { section: 'old', subsection: 'style', key: 'k-1', value: '"q"' },
    ]);
  });

  it.each([
    'bare = true\n',
    '[core\nbare=1\n',
    '[core]\n1x = 2\n',
    '[a]\nb = "open\n',
    '[a]\nb=\\q',
  ])('refuses what git refuses: %j', (text) => {
    expect(() => parseGitConfig(text)).toThrow(/Source repository is damaged: config is broken/);
  });

  it('returns the object format', () => {
    expect(objectFormat(HARMLESS)).toBe('sha1');
    expect(objectFormat('[extensions]\n\tobjectFormat = sha256\n')).toBe('sha256');
  });
});

describe('stripHostileConfig', () => {
  it('gives harmless text back byte for byte', () => {
    const text = `${HARMLESS}# note\n[gc]\n\tauto = 0\n[transfer]\n\thideRefs = refs/hidden\n`;
    expect(stripHostileConfig(text)).toBe(text);
  });

  it.each([
    '[core] hooksPath = /tmp/evil\n',
    '[CORE]\n\tFsMonitor = "/tmp/evil"\n',
    '[core]\n\tsshCommand = touch \\\n /tmp/evil\n',
    '[core]\n\tworktree = /tmp/evil\n',
    '[core]\n\tattributesFile = /tmp/evil\n',
    '[core]\n\talternateRefsCommand = /tmp/evil\n',
    '[include]\n\tpath = /tmp/evil\n',
    '[includeIf "gitdir:/"]\n\tpath = /tmp/evil\n',
    '[remote "origin"]\n\turl = /tmp/evil\n\tmirror = true\n',
    '[url "/tmp/evil"]\n\tinsteadOf = https://\n',
    '[alias]\n\tfsck = !/tmp/evil\n',
    '[filter "lfs"]\n\tsmudge = /tmp/evil\n',
    '[uploadpack]\n\tpackObjectsHook = /tmp/evil\n',
    '[gc]\n\trecentObjectsHook = /tmp/evil\n',
    '[fsck]\n\tskipList = /tmp/evil\n',
    '[hook "x"]\n\tcommand = /tmp/evil\n\tevent = pre-receive\n',
  ])('drops %j and keeps the rest', (hostile) => {
    const stripped = stripHostileConfig(`${HARMLESS}${hostile}[gc]\n\tauto = 0\n`);
    const left = parseGitConfig(stripped).map(({ section, key }) => `${section}.${key}`);
    expect(left).toEqual(['core.repositoryformatversion', 'core.bare', 'gc.auto']);
  });
});
