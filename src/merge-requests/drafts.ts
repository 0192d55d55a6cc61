/** How the title of a draft begins; the same for JavaScript and PostgreSQL, both in any case. */
const BEGINNING = String.raw`^\s*(\[draft\]|\(draft\)|draft:)`;

const DRAFT = new RegExp(BEGINNING, 'i');

/** Whether the title says that the merge request is not to be merged yet. */
export function isDraft(title: string): boolean {
  return DRAFT.test(title);
}

/** SQL condition: the title in this column is that of a draft. */
export function draftSql(column: string): string {
  return `${column} ~* '${BEGINNING}'`;
}
