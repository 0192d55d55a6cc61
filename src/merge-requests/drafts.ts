/** How the title of a draft begins; the same for JavaScript and PostgreSQL, both in any case. */
const MARK = String.raw`\s*(\[draft\]|\(draft\)|draft:)`;
const BEGINNING = `^${MARK}`;
const DRAFT = new RegExp(BEGINNING, 'i');
const MARKS = new RegExp(String.raw`^(?:${MARK})*\s*`, 'i');

/** Whether the title says that the merge request is not to be merged yet. */
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
