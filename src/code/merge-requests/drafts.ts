/** Pattern of draft titles; the same for JavaScript and PostgreSQL, both case-insensitive. */
const MARK = String.raw`\s*(\[draft\]|\(draft\)|draft:)`;
const BEGINNING = `^${MARK}`;
const DRAFT = new RegExp(BEGINNING, 'i');
const MARKS = new RegExp(String.raw`^(?:${MARK})*\s*`, 'i');

/** Returns true if the title marks a draft. */
export function isDraft(title: string): boolean {
  return DRAFT.test(title);
}

/** The title without what makes it that of a draft. */
export function readyTitle(title: string): string {
  return title.replace(MARKS, '');
}

/** The title with it; an empty one stays as it is. */
export function draftTitle(title: string): string {
  return title.trim() === '' || isDraft(title) ? title : `Draft: ${title}`;
}

/** SQL condition: the title in this column is that of a draft. */
export function draftSql(column: string): string {
  return `${column} ~* '${BEGINNING}'`;
}
