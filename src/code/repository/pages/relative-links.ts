import type { RelativeLinks } from '../../../core/ui/markdown/markdown-links.js';
import type { CodeAddresses } from './addresses.js';

/** A link to a line is kept; other ids do not exist in texts that we render. */
const LINE = /^L\d{1,7}$/;

/**
 * Where the links of a text in a repository lead that name other files of it: beside the text, or
 * from the root when they begin with a slash. Nothing outside of the repository is meant.
 */
export function relativeLinks(
  addresses: CodeAddresses,
  { ref, path }: { ref: string; path: string },
): RelativeLinks {
  const folder = path.split('/').slice(0, -1);
  const addressOf = (link: string): string | null => {
    const [address = '', fragment = ''] = link.split('#');
    const file = decoded(address.replace(/\?.*/s, ''));
    if (file === null || file === '') return null;
    const names = resolved(file.startsWith('/') ? [] : folder, file);
    if (names === null) return null;
    if (names.length === 0) return addresses.tree(ref);
    return `${addresses.blob(ref, names.join('/'))}${LINE.test(fragment) ? `#${fragment}` : ''}`;
  };
  return { base: addresses.blob(ref, path), addressOf };
}

/** null when it leads out of the repository. */
function resolved(folder: readonly string[], file: string): string[] | null {
  const names = [...folder];
  for (const name of file.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
