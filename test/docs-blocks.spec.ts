import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from './docs/document.js';
import { runGuildhall } from './support/cli.js';

/** Paths of the files in a folder, and below it if wanted, whose names match. */
function filesIn(folder: string, name: RegExp, { recursive = true } = {}): string[] {
  const paths = readdirSync(folder, { recursive, encoding: 'utf8' });
  return paths.map((path) => join(folder, path)).filter((path) => name.test(path));
}

const DOCUMENTS = [
  ...filesIn('.', /\.md$/, { recursive: false }),
  ...filesIn('examples', /^examples\/[^/]+\/[^/]+\.md$/),
  ...filesIn('docs', /^docs\/(?!decisions\/|licenses\/).*\.md$/),
].sort();

const UNFOLLOWED =
  'Blocks without a test. Take them out of the document with Document (test/docs/document.ts) in a ' +
  'test that runs or checks them, and declare them there with follows()';

const FOLLOWS = /\bfollows\(\s*((?:'[^'\n]*',?\s*)+)\)/g;
const nameOf = (document: string, block: string): string => `${document}: ${block}`;

const written = DOCUMENTS.flatMap((path) => {
  const names = blocksOf(readFileSync(path, 'utf8')).map(({ name }) => nameOf(path, name));
  return [...new Set(names)];
});

/** What the test files declare. */
const followed = filesIn('test', /^test\/[^/]+\/.+-spec\.ts$/).flatMap((path) => {
  const source = readFileSync(path, 'utf8');
  const calls = [...source.matchAll(FOLLOWS)];
  if (calls.length !== source.split(/\bfollows\(/).length - 1) {
    throw new Error(`The arguments of follows() in ${path} have to be literals`);
  }
  return calls.flatMap(([, list = '']) => {
    const [document = '', ...names] = [...list.matchAll(/'(.*?)'/g)].map(([, text = '']) => text);
    return names.map((name) => nameOf(document, name));
  });
});

describe('the code blocks of the documents', () => {
  it('each have a test', () => {
    const unfollowed = written.filter((block) => !followed.includes(block));
    if (unfollowed.length > 0) throw new Error([UNFOLLOWED, ...unfollowed].join('\n'));
  });

  it('exist where a test follows them', () => {
    expect(followed.filter((block) => !written.includes(block))).toEqual([]);
  });
});

/** The words that can follow each command, by its path: `backup` has `create` and `--json`. */
async function commandWords(): Promise<Map<string, string[]>> {
  const { stdout } = await runGuildhall(['completion', 'bash'], { env: {} });
  const cases = stdout.matchAll(/^ +'([a-z -]*)'\) words='(.*?)'/gm);
  return new Map([...cases].map(([, path = '', words = '']) => [path, words.split(' ')]));
}

/** Returns the words of a command line that `guildhall` does not know. */
function unknownWords(line: string, words: ReadonlyMap<string, string[]>): string[] {
  let path = '';
  return line.split(' ').flatMap((word) => {
    const known = words.get(path) ?? [];
    if (word.startsWith('--')) return known.includes(word) ? [] : [word];
    const isGroup = known.some((one) => !one.startsWith('-'));
    if (!isGroup || word.startsWith('<')) return [];
    const alternatives = word.split('|');
    path = `${path} ${alternatives[0]}`.trim();
    return alternatives.filter((one) => !known.includes(one));
  });
}

/** Code between backticks, with the path of its document. */
const inline = DOCUMENTS.flatMap((path) => {
  const text = readFileSync(path, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({
    path,
    code: code.replaceAll('\\|', '|').replaceAll(/\s+/g, ' '),
  }));
});

describe('the commands in the text of the documents', () => {
  it('are commands and options of guildhall', async () => {
    const words = await commandWords();
    const commands = inline.flatMap(({ path, code }) => {
      const [, line] = /^(?:npx )?guildhall (.+)$/.exec(code) ?? [];
      return line === undefined ? [] : [{ path, line: line.replaceAll(/[[\]]/g, '') }];
    });
    expect(commands.length).toBeGreaterThan(50);
    const wrong = commands.filter(({ line }) => unknownWords(line, words).length > 0);
    expect(wrong).toEqual([]);
  });

  it('are scripts of npm', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = inline.flatMap(({ path, code }) =>
      [...code.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test|run)\b)/g)].map(
        ([, script, short]) => ({ path, script: script ?? short ?? '' }),
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
  });
});
