import type { StateCore, Token } from 'markdown-it';

/** Nothing of the reader's goes along, and no search engine counts it. */
const REL = 'nofollow noopener noreferrer';

/** Only what a browser opens without running it; the parser asks with the address made safe. */
export function isSafeLink(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url.trim());
}

/**
 * Links get their `rel`; images become links to what they would show: a picture from elsewhere
 * would tell its host who reads, and within a link only its text is left.
 */
export function rewriteLinks(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.children !== null) token.children = rewritten(token.children, state);
  }
}

function rewritten(children: Token[], state: StateCore): Token[] {
  let isInLink = false;
  return children.flatMap((token) => {
    if (token.type === 'link_open') {
      isInLink = true;
      token.attrSet('rel', REL);
    }
    if (token.type === 'link_close') isInLink = false;
    return token.type === 'image' ? withoutImage(token, isInLink, state) : [token];
  });
}

function withoutImage(image: Token, isInLink: boolean, state: StateCore): Token[] {
  const url = String(image.attrGet('src'));
  const text = new state.Token('text', '', 0);
  text.content = image.content.trim() === '' ? url : plainText(image.children ?? []);
  if (isInLink) return [text];
  const open = new state.Token('link_open', 'a', 1);
  open.attrs = [
    ['href', url],
    ['rel', REL],
  ];
  return [open, text, new state.Token('link_close', 'a', -1)];
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ content, children }) => (children === null ? content : plainText(children)))
    .join('');
}
