import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { IS_FULL } from '../support/scale.js';

/** The sample tells linear from quadratic on a busy machine, too; the full run holds the figure. */
const LENGTH = IS_FULL ? 100_000 : 20_000;
const PATIENCE_MS = IS_FULL ? 10 : 50;

interface Pattern {
  where: string;
  pattern: RegExp;
}

/** Every regular expression written in src. */
function patterns(): Pattern[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.spec.ts'))
    .flatMap((name) => patternsIn(join('src', name)));
}

function patternsIn(file: string): Pattern[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ where: `${file}:${line + 1} ${node.text}`, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Long texts of what the pattern itself is made of, and of what backtracking feeds on, each with
 * an end that keeps the whole from matching.
 */
function attacksOn({ pattern }: Pattern): string[] {
  const own = [...new Set(pattern.source.replace(/\\[a-zA-Z]/g, 'a0 '))].filter((c) => c >= ' ');
  const pieces = ['a', '0', ' ', '/', '-', '.', '\t', '=', '"', 'a ', 'a/', '-a', 'ref: ', ...own];
  return [...new Set(pieces)].flatMap((piece) => {
    const text = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
    return [`${text}\u0001`, `x${text}\n!`];
  });
}

function slowest({ pattern }: Pattern, attacks: readonly string[]): number {
  return Math.max(...attacks.map((text) => fastestOfThree(pattern, text)));
}

function fastestOfThree(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best > PATIENCE_MS; round += 1) {
    pattern.lastIndex = 0;
    const startedAt = performance.now();
    pattern.exec(text);
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

describe('regular expressions', () => {
  it('take linear time for hostile characters, 10 ms for 100,000 of them', () => {
    const found = patterns();
    const slow = found.filter((one) => slowest(one, attacksOn(one)) > PATIENCE_MS);
    expect(slow.map(({ where }) => where)).toEqual([]);
    expect(found.length).toBeGreaterThan(50);
  }, 120_000);
});
