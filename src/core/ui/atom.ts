import { HttpResponse } from '../http/http-response.js';

interface AtomFeedProps {
  /** Of the instance, without trailing slash. */
  baseUrl: string;
  title: string;
  /** Path and query of the feed. */
  self: string;
  /** Path and query of the page with the same content. */
  page: string;
  entries: readonly AtomEntry[];
}

/** One entry of a feed; addresses are paths of the instance. */
export interface AtomEntry {
  title: string;
  /** Stays the same when its subject moves. */
  id: string;
  href: string;
  published: Date;
  updated: Date;
  author: { name: string; href: string | null };
  category: string;
  summary: string | null;
}

const EPOCH = new Date(0);
const MAX_SUMMARY = 2_000;
const HEADERS = {
  'Content-Type': 'application/atom+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
};

/**
 * Responds with an Atom feed (RFC 4287). The response is private and has an ETag, like each that
 * sets no `Cache-Control` of its own.
 */
export function atomResponse(props: AtomFeedProps): HttpResponse {
  return new HttpResponse(200, feedText(props), HEADERS);
}

function feedText({ baseUrl, title, self, page, entries }: AtomFeedProps): string {
  const updated = Math.max(EPOCH.getTime(), ...entries.map((entry) => entry.updated.getTime()));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${xml(title)}</title>`,
    `<id>${xml(baseUrl + page)}</id>`,
    `<link rel="self" type="application/atom+xml" href="${xml(baseUrl + self)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(baseUrl + page)}"/>`,
    `<updated>${new Date(updated).toISOString()}</updated>`,
    ...entries.map((entry) => entryText(entry, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function entryText({ author, summary, ...entry }: AtomEntry, baseUrl: string): string {
  const uri = author.href === null ? '' : `<uri>${xml(baseUrl + author.href)}</uri>`;
  const text = summary?.slice(0, MAX_SUMMARY) ?? '';
  return [
    '<entry>',
    `<title>${xml(entry.title)}</title>`,
    `<id>${xml(baseUrl + entry.id)}</id>`,
    `<link rel="alternate" type="text/html" href="${xml(baseUrl + entry.href)}"/>`,
    `<published>${entry.published.toISOString()}</published>`,
    `<updated>${entry.updated.toISOString()}</updated>`,
    `<author><name>${xml(author.name)}</name>${uri}</author>`,
    `<category term="${xml(entry.category)}"/>`,
    ...(text === '' ? [] : [`<summary>${xml(text)}</summary>`]),
    '</entry>',
  ].join('\n');
}

/** Characters that no XML 1.0 document can have, not even as references (section 2.2). */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

/** Returns a text for the content of an element or for an attribute in double quotes. */
function xml(text: string): string {
  return text
    .replace(ILLEGAL, '\ufffd')
    .replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? character);
}
