import { randomUUID } from 'node:crypto';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { unsubscribeAddress } from '../../subscriptions/unsubscribe-headers.js';
import type { LetterFacts } from './letter-facts.js';
import { letterSubject } from './letter-headers.js';
import { LetterBody, LetterPage } from './letter-page.js';
import { plainText } from './letter-text.js';

/** Placeholder of the reader's unsubscribe key; random, so that no text can contain it. */
const KEY = `key-${randomUUID()}`;

/** Rendered email that is the same for all readers but for their unsubscribe links. */
export interface RenderedLetter {
  subject: string;
  /** Text and HTML part for a reader. */
  partsFor(unsubscribeKey: string): { text: string; html: string };
}

/** Renders both parts once for all readers with the same rule. */
export function renderLetter(facts: LetterFacts, rule: string): RenderedLetter {
  const subject = letterSubject(facts);
  const props = { facts, rule, unsubscribeHref: unsubscribeAddress(facts.baseUrl, KEY) };
  const page = renderToString(h(LetterPage, { ...props, title: subject }));
  const html = `<!doctype html>${page}`.split(KEY);
  const text = plainText(h(LetterBody, props)).split(KEY);
  return { subject, partsFor: (key) => ({ text: text.join(key), html: html.join(key) }) };
}
