/**
 * The names that a Markdown text gives after `@`, in lower case and each once: not within code,
 * links' addresses or mail addresses. `all` is among them.
 */
export function namesIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const names = new Set<string>();
  const prose = text
    .replace(/^(```|~~~)[\s\S]*?(^\1[^\S\n]*$|$(?![\s\S]))/gm, ' ')
    .replace(/(`+)[\s\S]*?\1/g, ' ')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
  for (const [, name = ''] of prose.matchAll(/(?<![\w@./-])@([a-z0-9_][\w.-]*(?:\/[\w.-]+)*)/gi)) {
    names.add(name.replace(/[.-]+$/, '').toLowerCase());
  }
  names.delete('');
  return [...names];
}
