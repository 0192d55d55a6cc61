import { describeEvent, sentenceText } from './event-sentence.js';
import type { FeedEvent } from './feed-reader.service.js';

interface AtomFeedProps {
  /** Of the instance, without trailing slash. */
  baseUrl: string;
  title: string;
  /** Path and query of the feed. */
  self: string;
  /** Path and query of the page with the same content. */
  page: string;
  events: readonly FeedEvent[];
}

const EPOCH = new Date(0);

/** Renders events as an Atom feed (RFC 4287). */
export function atomFeed({ baseUrl, title, self, page, events }: AtomFeedProps): string {
  const updated = events.at(0)?.event.createdAt ?? EPOCH;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${xml(title)}</title>`,
    `<id>${xml(baseUrl + page)}</id>`,
    `<link rel="self" type="application/atom+xml" href="${xml(baseUrl + self)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(baseUrl + page)}"/>`,
    `<updated>${updated.toISOString()}</updated>`,
    ...events.map((event) => entry(event, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function entry(feedEvent: FeedEvent, baseUrl: string): string {
  const { event, project } = feedEvent;
  const sentence = describeEvent(feedEvent);
  const name = event.author?.name ?? 'Deleted user';
  const time = event.createdAt.toISOString();
  const href = sentence.subject?.href ?? `/${project.fullPath}/-/activity`;
  const summary = event.note?.body.slice(0, MAX_SUMMARY) ?? event.commitTitle;
  return [
    '<entry>',
    `<title>${xml(`${name} ${sentenceText(sentence)}`)}</title>`,
    // Stays the same when the project moves to another path.
    `<id>${xml(`${baseUrl}/-/events/${event.id}`)}</id>`,
    `<link rel="alternate" type="text/html" href="${xml(baseUrl + href)}"/>`,
    `<published>${time}</published>`,
    `<updated>${time}</updated>`,
    `<author><name>${xml(name)}</name>${authorUri(feedEvent, baseUrl)}</author>`,
    `<category term="${xml(project.fullPath)}"/>`,
    ...(summary === null || summary === '' ? [] : [`<summary>${xml(summary)}</summary>`]),
    '</entry>',
  ].join('\n');
}

const MAX_SUMMARY = 2_000;

function authorUri({ event: { author } }: FeedEvent, baseUrl: string): string {
  return author === null ? '' : `<uri>${xml(`${baseUrl}/${author.username}`)}</uri>`;
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
