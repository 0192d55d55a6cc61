import { readFileSync } from 'node:fs';
import { runCommand } from '../support/command.js';

/** Replacements that a reader makes, in this order. */
export type Replacements = readonly (readonly [placeholder: string | RegExp, value: string])[];

/** Address and credentials of an integration, as tutorials write them. */
export const WEBHOOK =
  /https:\/\/code\.example\.com\/acme\/shop\/alerts\/notify\/[\w-]+\/[0-9a-f]{16}\.json/g;
export const KEY = '0123456789abcdef0123456789abcdef';
export const DSN =
  /https:\/\/[0-9a-f]{32}@code\.example\.com\/api\/v4\/error_tracking\/collector\/\d+/g;

const FENCE = /^```(\w+)(?: \[(.+)\])?\n([\s\S]*?)^```$/gm;

/** A page of a folder of docs, followed by a reader with these replacements. */
export class Tutorial {
  readonly text: string;

  constructor(page: string, replacements: Replacements, folder = 'tutorials') {
    const read = readFileSync(`docs/${folder}/${page}.md`, 'utf8');
    this.text = replacements.reduce(
      (text, [placeholder, value]) => text.replaceAll(placeholder, value),
      read,
    );
  }

  /** The code of the block with this name. */
  named(name: string): string {
    const code = this.blocks().find((block) => block.name === name)?.code;
    if (code === undefined) throw new Error(`the page has no block named ${name}`);
    return code;
  }

  /** Runs all commands without a name, which need nothing but sh, curl, git and node; returns their output. */
  async run(): Promise<string> {
    const script = this.commands().join('\necho\n');
    const { code, stdout, stderr } = await runCommand('sh', ['-ec', script], {
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    });
    if (code !== 0) throw new Error(`the commands ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** The commands without a name, block by block. */
  commands(): string[] {
    const own = this.blocks().filter(({ language, name }) => language === 'sh' && !name);
    return own.map(({ code }) => code);
  }

  private blocks(): { language: string; name: string | undefined; code: string }[] {
    return [...this.text.matchAll(FENCE)].map(([, language = '', name, code = '']) => ({
      language,
      name,
      code,
    }));
  }
}
