import { filledAddress } from './addresses.js';

/** `label:bug`, `assignee:"Ada Lovelace"`. */
const TERM = /(^|\s)([a-z_]+):(?:"([^"]*)"|(\S+))/giu;

interface TermRules {
  /** Names of the parameters that terms can set; those in `lists` hold several values. */
  names: readonly string[];
  lists?: readonly string[];
  /** Values of `is:`, each with the parameter that it sets. */
  is?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Returns the address in which the terms of a typed search are parameters:
 * `?search=is:closed+label:bug+cart` becomes `?state=closed&label=bug&search=cart`. Null for a
 * search without terms.
 */
export function addressOfTerms(
  path: string,
  query: Readonly<Record<string, unknown>>,
  { names, lists = [], is = {} }: TermRules,
): string | null {
  const { search } = query;
  if (typeof search !== 'string' || !search.includes(':')) return null;
  const texts = Object.entries(query).filter(([, value]) => typeof value === 'string');
  const params = Object.fromEntries(texts) as Record<string, string>;
  const isTerm = (name: string): boolean => names.includes(name);
  const rest = search.replace(TERM, (term: string, ...[, given, quoted, bare]: string[]) => {
    const [name, value] = [given?.toLowerCase() ?? '', quoted ?? bare ?? ''];
    const state = name === 'is' ? is[value.toLowerCase()] : undefined;
    if (state !== undefined) Object.assign(params, state);
    else if (isTerm(name)) params[name] = listed(lists.includes(name), params[name], value);
    else return term;
    return ' ';
  });
  const text = rest.replace(/\s+/g, ' ').trim();
  if (text === search.trim()) return null;
  return filledAddress(path, { ...params, search: text, page: null });
}

function listed(isList: boolean, before: string | undefined, value: string): string {
  return isList && before ? `${before},${value}` : value;
}
