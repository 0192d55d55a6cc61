/** Lines in addresses: `#L10` and `#L10-20`; the number of a file precedes them in snippets. */
const RANGE = /^#((?:file-\d+-)?)L(\d+)(?:-L?(\d+))?$/;

interface LineRange {
  prefix: string;
  first: number;
  last: number;
}

addEventListener('hashchange', () => showRange());
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('.code-lines a') : null;
  const chosen = rangeOf(link?.getAttribute('href') ?? '');
  const start = rangeOf(location.hash);
  if (!event.shiftKey || chosen === null || start?.prefix !== chosen.prefix) return;
  event.preventDefault();
  const [first, last] = [start.first, chosen.first].sort((one, other) => one - other);
  location.hash = `#${chosen.prefix}L${first}-${last}`;
});
showRange();

/** Marks the lines that the address names; the style sheet marks a single one without a script. */
function showRange(): void {
  for (const line of document.querySelectorAll('.marked')) line.classList.remove('marked');
  const range = rangeOf(location.hash);
  if (range === null || range.first === range.last) return;
  for (let number = range.first; number <= range.last; number += 1) {
    const line = document.getElementById(`${range.prefix}L${number}`);
    if (line === null) break;
    line.classList.add('marked');
    if (number === range.first) line.scrollIntoView({ block: 'center' });
  }
}

function rangeOf(hash: string): LineRange | null {
  const [, prefix = '', first, last = first] = RANGE.exec(hash) ?? [];
  if (first === undefined) return null;
  const [low, high] = [Number(first), Number(last)].sort((one, other) => one - other);
  return { prefix, first: low ?? 0, last: high ?? 0 };
}
