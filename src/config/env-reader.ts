import { readFileSync } from 'node:fs';

/** Environment variables as Node gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface IntegerRange {
  fallback: number;
  min: number;
  max: number;
}

/**
 * Reads single variables and collects what is wrong with them instead of throwing,
 * so that all errors are reported together. An empty variable counts as unset.
 */
export class EnvReader {
  readonly errors: string[] = [];

  constructor(private readonly env: Environment) {}

  /** The variable's text without surrounding spaces, or undefined. */
  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** Like `text`, but can come from the file named by `<NAME>_FILE`; both at once is an error. */
  secret(name: string): string | undefined {
    const value = this.text(name);
    const file = this.text(`${name}_FILE`);
    if (file === undefined) return value;
    if (value !== undefined) {
      this.addError(name, `is set twice, by ${name} and by ${name}_FILE`);
      return value;
    }
    return this.fileContent(name, file);
  }

  /** An integer within the range; the fallback when unset or wrong. */
  integer(name: string, { fallback, min, max }: IntegerRange): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= min && parsed <= max) return parsed;
    this.addError(name, `must be an integer from ${min} to ${max}`);
    return fallback;
  }

  /** One of the listed words; the fallback when unset or wrong. */
  oneOf<T extends string>(name: string, words: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const word = words.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    this.addError(name, `must be one of ${words.join(', ')}`);
    return fallback;
  }

  /** true/on/1/yes or false/off/0/no. */
  switch(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['true', 'on', '1', 'yes'].includes(value)) return true;
    if (['false', 'off', '0', 'no'].includes(value)) return false;
    this.addError(name, 'must be on or off');
    return fallback;
  }

  /** A URL of one of the protocols (with colon); the value itself never appears in an error. */
  url(name: string, protocols: readonly string[], value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
    const isKnown = URL.canParse(value) && protocols.includes(new URL(value).protocol);
    if (!isKnown) this.addError(name, `must be a URL that starts with ${schemes}`);
    return isKnown ? value : undefined;
  }

  /** Reads a required secret as `url`; returns '' after reporting an error. */
  requiredUrl(name: string, protocols: readonly string[]): string {
    const value = this.secret(name);
    const isMissing = value === undefined && this.text(`${name}_FILE`) === undefined;
    if (isMissing) this.addError(name, 'is required');
    return this.url(name, protocols, value) ?? '';
  }

  /** Records one error. */
  addError(name: string, problem: string): void {
    this.errors.push(`${name} ${problem}`);
  }

  private fileContent(name: string, file: string): string | undefined {
    try {
      const content = readFileSync(file, 'utf8').trim();
      if (content !== '') return content;
      this.addError(`${name}_FILE`, `names an empty file: ${file}`);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      this.addError(`${name}_FILE`, `names a file that cannot be read (${code}): ${file}`);
    }
    return undefined;
  }
}
