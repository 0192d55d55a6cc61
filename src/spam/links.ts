const LINK = /(?:https?:\/\/|\bwww\.)[^\s<>"'`()[\]{}|\\^]+/gi;

/** Every web link in the text, as it is written. */
export function linksIn(text: string): string[] {
  return text.match(LINK) ?? [];
}

/** The text without its links. */
export function withoutLinks(text: string): string {
  return text.replace(LINK, ' ');
}

/** The host that a link of `linksIn` leads to, in lower case, without user name and port. */
export function hostOf(link: string): string {
  const [authority = ''] = link.replace(/^https?:\/\//i, '').split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.replace(/:\d*$/, '').toLowerCase();
}
