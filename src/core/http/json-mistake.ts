const SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Returns the position of a syntax error as `line 1, column 17`, which V8's own errors omit in some
 * cases. Recurses into nested values, so their depth must be limited before.
 */
export function jsonMistake(text: string): string {
  const read = text.slice(0, new JsonReader(text).readable());
  const lines = read.split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Validates JSON (RFC 8259) without building values; each method returns whether its token matched.
 */
class JsonReader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Returns the length of the longest prefix that can begin a JSON text. */
  readable(): number {
    if (this.value()) this.takes(SPACE);
    return this.at;
  }

  private value(): boolean {
    this.takes(SPACE);
    const first = this.text[this.at];
    if (first === '{') return this.list('}', () => this.member());
    if (first === '[') return this.list(']', () => this.value());
    return first === '"' ? this.string() : this.takes(SCALAR);
  }

  private list(end: string, item: () => boolean): boolean {
    this.at += 1;
    if (this.char(end)) return true;
    do if (!item()) return false;
    while (this.char(','));
    return this.char(end);
  }

  private member(): boolean {
    return this.string() && this.char(':') && this.value();
  }

  private string(): boolean {
    if (!this.char('"')) return false;
    do this.takes(PLAIN);
    while (this.takes(ESCAPE));
    if (this.text[this.at] !== '"') return false;
    this.at += 1;
    return true;
  }

  private char(wanted: string): boolean {
    this.takes(SPACE);
    if (this.text[this.at] !== wanted) return false;
    this.at += 1;
    return true;
  }

  private takes(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}
