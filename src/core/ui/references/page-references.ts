import type { Viewer } from '../../access/auth-context.js';
import { encodePath } from '../addresses.js';
import { escapeHtml, unescapeHtml } from '../escape-html.js';
import { hasReferences, replaceReferences } from './marked-html.js';
import { type Reference, referenceKey, referenceOfKey, referenceOfUrl } from './reference.js';

/** Something that a text refers to and the viewer can see. */
export interface ReferenceTarget {
  /** Path of its page. */
  href: string;
  /** Title or name. */
  title: string;
  /** Full path of its project; null for users and groups. */
  project: string | null;
  /** In its project: `#12`. */
  text: string;
  /** Said beside it: `closed` or `merged`. */
  state: string | null;
}

/** Finds what texts refer to; null for what does not exist and for what the viewer cannot see. */
export abstract class ReferenceLookup {
  abstract find(
    viewer: Viewer | null,
    references: readonly Reference[],
  ): Promise<(ReferenceTarget | null)[]>;
}

/** Different things that a page looks up; further ones stay plain text. */
const MAX_LOOKUPS = 200;
/** Links of a page, so that their titles cannot make it much longer than its texts. */
const MAX_LINKS = 1_000;

interface PageSource {
  lookup: ReferenceLookup | undefined;
  viewer: Viewer | null;
  baseUrl: string;
  /** Path of the request: texts belong to the project that it names. */
  path: string;
}

interface Lookup {
  reference: Reference;
  resolve(target: ReferenceTarget | null): void;
  reject(error: unknown): void;
}

/** Turns the marked references of one page into links, looked up together after it was rendered. */
export class PageReferences {
  private readonly targets = new Map<string, Promise<ReferenceTarget | null>>();
  private waiting: Lookup[] = [];
  private linksLeft = MAX_LINKS;

  constructor(private readonly source: PageSource) {}

  /** Returns the HTML with links in place of marks; `project` is the full path of the text's own. */
  async link(html: string, project = projectOfPath(this.source.path)): Promise<string> {
    if (!hasReferences(html)) return html;
    const keys = new Set<string>();
    replaceReferences(html, (key) => {
      keys.add(key);
      return '';
    });
    const found = new Map<string, { target: ReferenceTarget; fragment: string } | null>();
    await Promise.all([...keys].map(async (key) => found.set(key, await this.find(key, project))));
    return replaceReferences(html, (key, content) => {
      const { target, fragment } = found.get(key) ?? {};
      if (target === undefined || this.linksLeft <= 0) return content;
      this.linksLeft -= 1;
      if (!key.startsWith('url|')) return linkHtml(target, content.replace(LONG_SHA, '$1'));
      const shown = escapeHtml(textElsewhere(target, project));
      return linkHtml(target, fragment ? `${shown} (comment)` : shown, fragment);
    });
  }

  private async find(
    key: string,
    project: string,
  ): Promise<{ target: ReferenceTarget; fragment: string } | null> {
    const written = referenceOfKey(unescapeHtml(key));
    const isUrl = written.kind === 'url';
    const known = isUrl
      ? referenceOfUrl(written.name, this.source.baseUrl)
      : { reference: written, fragment: '' };
    if (known === null) return null;
    const { reference, fragment } = known;
    const isOwn = reference.project === '' && reference.kind !== 'user';
    if (isOwn && project === '') return null;
    const target = await this.look(isOwn ? { ...reference, project } : reference);
    return target === null ? null : { target, fragment };
  }

  private look(reference: Reference): Promise<ReferenceTarget | null> {
    const key = referenceKey(reference);
    const known = this.targets.get(key);
    if (known !== undefined) return known;
    if (this.targets.size >= MAX_LOOKUPS) return Promise.resolve(null);
    const target = new Promise<ReferenceTarget | null>((resolve, reject) => {
      // The rest of the page is rendered before anything is looked up.
      if (this.waiting.length === 0) setImmediate(() => void this.lookUp());
      this.waiting.push({ reference, resolve, reject });
    });
    this.targets.set(key, target);
    return target;
  }

  private async lookUp(): Promise<void> {
    const lookups = this.waiting;
    this.waiting = [];
    const { lookup, viewer } = this.source;
    try {
      const references = lookups.map(({ reference }) => reference);
      const targets = (await lookup?.find(viewer, references)) ?? [];
      for (const [at, { resolve }] of lookups.entries()) resolve(targets[at] ?? null);
    } catch (error) {
      for (const { reject } of lookups) reject(error);
    }
  }
}

/** Returns the HTML without marks, where nothing can be looked up. */
export function withoutReferences(html: string): string {
  return replaceReferences(html, (_, content) => content);
}

/** Returns the full path of the project that a page belongs to; '' for pages outside of projects. */
export function projectOfPath(path: string): string {
  const [beginning = ''] = path.split('/-/');
  const project = beginning.replace(/^\/|\/$/g, '');
  return project.includes('/') && !project.startsWith('groups/') ? project : '';
}

/** Full commit IDs are shortened to eight characters. */
const LONG_SHA = /\b([0-9a-f]{8})[0-9a-f]{32}$/i;

/** Returns the short reference for a URL in a text of the project `own`. */
function textElsewhere({ text, project }: ReferenceTarget, own: string): string {
  if (project === null || project.toLowerCase() === own.toLowerCase()) return text;
  return /^[0-9a-f]/.test(text) ? `${project}@${text}` : project + text;
}

function linkHtml({ href, title, state }: ReferenceTarget, shown: string, fragment = ''): string {
  const address = escapeHtml(encodePath(href) + fragment);
  const end = state === null ? '' : ` (${escapeHtml(state)})`;
  return `<a href="${address}" title="${escapeHtml(title)}">${shown}${end}</a>`;
}
