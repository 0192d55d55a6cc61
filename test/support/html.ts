/** The text of a page as a reader sees it: without tags, entities resolved, spaces single. */
export function textOf(html: string): string {
  const main = /<main[^<>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? html;
  return (
    main
      // Values of attributes can contain angle brackets.
      .replace(/<[^<>"]*(?:"[^"]*"[^<>"]*)*>/g, ' ')
      .replace(/&(lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
      .replace(/\s+/g, ' ')
      .trim()
  );
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#39;': "'",
};
