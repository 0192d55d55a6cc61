import { readFileSync } from 'node:fs';
import { afterAll, expect } from '@jest/globals';
import { getState } from 'jest-circus';
import { runCommand } from '../support/command.js';

/** Replacements that a reader makes, in this order. */
export type Replacements = readonly (readonly [placeholder: string | RegExp, value: string])[];

/** Address and credentials of an integration, as tutorials write them. */
export const WEBHOOK =
  /https:\/\/code\.example\.com\/acme\/shop\/alerts\/notify\/[\w-]+\/[0-9a-f]{16}\.json/g;
export const KEY = '0123456789abcdef0123456789abcdef';
export const DSN =
  /https:\/\/[0-9a-f]{32}@code\.example\.com\/api\/v4\/error_tracking\/collector\/\d+/g;

/** A code block, which can be part of a list. */
const FENCE = /^( *)```(\w*)(?: \[(.+)\])?\n([\s\S]*?)^\1```$/gm;

/**
 * A code block of a document. One without a name in brackets goes by its language; one without either
 * shows what the commands before it print, and goes by `output`.
 */
export interface Block {
  name: string;
  language: string;
  code: string;
}

/** Returns the code blocks of a text in Markdown. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(FENCE)].map(([, indent = '', language = '', name, code = '']) => ({
    name: name ?? (language || 'output'),
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Declared blocks, by test file and document. */
const followed = new Map<string, { names: readonly string[]; unused: Set<string> }>();
const keyOf = (path: string): string => `${expect.getState().testPath}: ${path}`;

/**
 * Declares the blocks of a document that the test file follows, in one call: it can use no others, and
 * fails if it does not use all of them. `test/docs-blocks.spec.ts` finds the calls in the sources, so
 * the arguments are literals.
 */
export function follows(path: string, ...names: string[]): void {
  if (followed.has(keyOf(path))) throw new Error(`A second call of follows() for ${path}`);
  const unused = new Set(names);
  followed.set(keyOf(path), { names, unused });
  afterAll(() => {
    // With -t other tests of the file would use them.
    if (!getState().testNamePattern) expect({ [path]: [...unused] }).toEqual({ [path]: [] });
  });
}

/** A document, followed by a reader with these replacements. */
export class Document {
  readonly text: string;

  constructor(
    private readonly path: string,
    replacements: Replacements = [],
  ) {
    this.text = replacements.reduce(
      (text, [placeholder, value]) => text.replaceAll(placeholder, value),
      readFileSync(path, 'utf8'),
    );
  }

  /** The code of the block with this name. */
  named(name: string): string {
    const [code, ...others] = this.all(name);
    if (code === undefined) throw new Error(`${this.path} has no block named ${name}`);
    if (others.length > 0) throw new Error(`${this.path} has several blocks named ${name}`);
    return code;
  }

  /** The code of all blocks with this name. */
  all(name: string): string[] {
    const { names, unused } = followed.get(keyOf(this.path)) ?? {};
    if (!names?.includes(name))
      throw new Error(`follows() does not declare ${name} of ${this.path}`);
    unused?.delete(name);
    const blocks = blocksOf(this.text).filter((block) => block.name === name);
    return blocks.map(({ code }) => code);
  }

  /** Runs all commands without a name, which need nothing but sh, curl, git and node; returns their output. */
  async run(): Promise<string> {
    const script = this.all('sh').join('\necho\n');
    const { code, stdout, stderr } = await runCommand('sh', ['-ec', script], {
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    });
    if (code !== 0) throw new Error(`the commands ended with ${code}: ${stderr}`);
    return stdout;
  }
}
