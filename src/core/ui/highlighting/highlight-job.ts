/** Texts of one language for the thread that highlights. */
export interface HighlightJob {
  texts: readonly string[];
  /** Name of the language or of a file. */
  hint: string;
}

export interface HighlightResult {
  /** HTML of each text's lines; null when the language is unknown. */
  lines: string[][] | null;
}

const TAG = /<span[^>]*>|<\/span>/g;

/** Splits highlighted HTML into lines, each of which closes the elements that it opens. */
export function splitLines(html: string): string[] {
  const open: string[] = [];
  return html.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(TAG)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return `${before}${line}${'</span>'.repeat(open.length)}`;
  });
}
