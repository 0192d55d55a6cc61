import { damagedSource } from './move-error.js';

/** One `key = value` of a git config with the range of text it stands in. */
interface ConfigEntry {
  section: string;
  subsection: string;
  key: string;
  /** null: a bare key, which git reads as true. */
  value: string | null;
  start: number;
  end: number;
}

/**
 * Reads the text of a git config the way git does (git-config(1), Syntax):
 * quoted values, continuation lines, both forms of subsection, comments.
 * Text git would refuse throws MoveError, for no git command would work on that repository.
 */
export function parseGitConfig(text: string): ConfigEntry[] {
  return new ConfigParser(text).parse();
}

class ConfigParser {
  private position = 0;
  private section = '';
  private subsection = '';
  private readonly entries: ConfigEntry[] = [];

  constructor(private readonly text: string) {}

  parse(): ConfigEntry[] {
    if (this.text.startsWith('\u00ef\u00bb\u00bf')) this.position = 3;
    while (this.position < this.text.length) {
      const character = this.text.charAt(this.position);
      if (/\s/.test(character)) this.position += 1;
      else if (character === '#' || character === ';') this.skipLine();
      else if (character === '[') this.readHeader();
      else this.readEntry();
    }
    return this.entries;
  }

  private skipLine(): void {
    const end = this.text.indexOf('\n', this.position);
    this.position = end === -1 ? this.text.length : end;
  }

  private readHeader(): void {
    const header = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
    header.lastIndex = this.position;
    const match = header.exec(this.text);
    if (!match) throw this.broken();
    const [whole, name = '', quoted] = match;
    const dot = name.indexOf('.');
    this.section = (dot === -1 ? name : name.slice(0, dot)).toLowerCase();
    const dotted = dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
    this.subsection = quoted === undefined ? dotted : quoted.replace(/\\(.)/g, '$1');
    this.position += whole.length;
  }

  private readEntry(): void {
    const start = this.position;
    const name = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|\r?\n|$)/y;
    name.lastIndex = start;
    const match = name.exec(this.text);
    if (!match || this.section === '') throw this.broken();
    this.position += match[0].length;
    const value = match[2] === '=' ? this.readValue() : null;
    const { section, subsection } = this;
    const key = (match[1] ?? '').toLowerCase();
    this.entries.push({ section, subsection, key, value, start, end: this.position });
  }

  private readValue(): string {
    const piece = /\\\r?\n|\\[tbn"\\]|[^\\\n]/y;
    let value = '';
    let quoted = false;
    while (this.position < this.text.length && this.text[this.position] !== '\n') {
      if (!quoted && /[#;]/.test(this.text.charAt(this.position))) {
        this.skipLine();
        break;
      }
      piece.lastIndex = this.position;
      const match = piece.exec(this.text)?.[0];
      if (match === undefined) throw this.broken();
      this.position += match.length;
      if (match === '"') quoted = !quoted;
      else value += unescapePiece(match);
    }
    if (quoted) throw this.broken();
    return value.trim();
  }

  private broken(): Error {
    const line = this.text.slice(0, this.position).split('\n').length;
    return damagedSource(`config is broken in line ${line}`);
  }
}

function unescapePiece(piece: string): string {
  if (!piece.startsWith('\\')) return piece;
  const named: Record<string, string> = { t: '\t', b: '\b', n: '\n', '"': '"', '\\': '\\' };
  return named[piece.charAt(1)] ?? '';
}

const SAFE_SECTIONS = new Set(
  'core extensions pack gc repack transfer receive uploadpack maintenance commitgraph index feature'
    .concat(' fetch fsck i18n user author committer')
    .split(' '),
);
// Keys that run a program, read a file of the host, or move the work tree.
const HOSTILE_KEY =
  /(path|hook|command|cmd|program|editor|pager|proxy|askpass|driver|textconv|helper|monitor|file|skiplist)$/;

function isHarmless(entry: ConfigEntry): boolean {
  if (!SAFE_SECTIONS.has(entry.section) || HOSTILE_KEY.test(entry.key)) return false;
  return entry.section !== 'core' || entry.key !== 'worktree';
}

/**
 * The config as it can travel: only sections that describe the repository, and of them no key that
 * names a program or a file of the host. Untouched text comes back byte for byte.
 */
export function stripHostileConfig(text: string): string {
  let kept = '';
  let position = 0;
  for (const entry of parseGitConfig(text)) {
    if (isHarmless(entry)) continue;
    kept += text.slice(position, entry.start);
    position = entry.end;
  }
  return kept + text.slice(position);
}

/** `sha1` or `sha256`: extensions.objectFormat of the repository. */
export function objectFormat(text: string): 'sha1' | 'sha256' {
  const isFormat = (e: ConfigEntry) => e.section === 'extensions' && e.key === 'objectformat';
  const entry = parseGitConfig(text).filter(isFormat).at(-1);
  return entry?.value === 'sha256' ? 'sha256' : 'sha1';
}
