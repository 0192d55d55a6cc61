import type { StateCore, Token } from 'markdown-it';

/** Nothing of the reader's goes along, and no search engine counts it. */
const REL = 'nofollow noopener noreferrer';

/** Links by reference repeat an address that stands in the text once: of more, the text is left. */
const MAX_ADDRESS_CHARACTERS = 200_000;

/**
 * Returns true for URLs that a browser opens without executing them; the parser passes the
 * normalized URL.
 */
export function isSafeLink(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url.trim());
}

/** Address of what a link without a host leads to; null = the reader has no use for it. */
export type AddressOf = (link: string) => string | null;

/** Resolution of relative links in a text. */
export interface RelativeLinks {
  /** URL of the text, the cache key: texts with the same base resolve links identically. */
  base: string;
  addressOf: AddressOf;
}

/** Context of rendering a text. */
export interface LinkEnvironment {
  addressOf?: AddressOf;
}

/** The same where links without a host have a meaning: those are rewritten (`AddressOf`). */
export function isSafeOrRelativeLink(url: string): boolean {
  return isSafeLink(url) || !/^(?:[a-z][a-z\d+.-]*:|\/\/|\\)/i.test(url.trim());
}

/**
 * Adds `rel` to links and turns images into links: an external image would reveal the reader to its
 * host. Within a link only its text remains.
 */
export function rewriteLinks(state: StateCore): void {
  const links = new LinkWriter(state);
  for (const token of state.tokens) {
    if (token.children !== null) {
      token.children = token.children.flatMap((child) => links.rewritten(child));
    }
  }
}

/** Goes through the parts of a text in their order. */
class LinkWriter {
  private charactersLeft = MAX_ADDRESS_CHARACTERS;
  private isInLink = false;

  constructor(private readonly state: StateCore) {}

  rewritten(token: Token): Token[] {
    if (token.type === 'image') return this.withoutImage(token);
    if (token.type === 'link_close') return this.closed(token);
    if (token.type !== 'link_open') return [token];
    const href = this.addressOf(String(token.attrGet('href')));
    token.attrSet('href', href ?? '');
    token.attrSet('rel', REL);
    this.isInLink = href !== null && this.takeRoom(token);
    return this.isInLink ? [token] : [];
  }

  private closed(token: Token): Token[] {
    const wasInLink = this.isInLink;
    this.isInLink = false;
    return wasInLink ? [token] : [];
  }

  private addressOf(link: string): string | null {
    if (isSafeLink(link)) return link;
    const { addressOf } = this.state.env as LinkEnvironment;
    return addressOf?.(link) ?? null;
  }

  private takeRoom(link: Token): boolean {
    const length = (link.attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0);
    this.charactersLeft -= length;
    return this.charactersLeft >= 0;
  }

  private withoutImage(image: Token): Token[] {
    const text = new this.state.Token('text', '', 0);
    text.content = plainText(image.children ?? []).trim() || 'Image';
    const href = this.addressOf(String(image.attrGet('src')));
    if (this.isInLink || href === null) return [text];
    const open = new this.state.Token('link_open', 'a', 1);
    open.attrs = [
      ['href', href],
      ['rel', REL],
    ];
    if (!this.takeRoom(open)) return [text];
    return [open, text, new this.state.Token('link_close', 'a', -1)];
  }
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ content, children }) => (children === null ? content : plainText(children)))
    .join('');
}
