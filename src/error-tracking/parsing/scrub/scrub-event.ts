import { formatMessage } from '../event-fields.js';
import { isNestedDeeper, type JsonObject, MAX_DEPTH, objectOf } from '../json-values.js';
import { FILTERED } from './card-numbers.js';
import { mapElements, scrubData, scrubMembers, scrubNamed } from './scrub-data.js';
import { scrubRequest, scrubUrl } from './scrub-request.js';
import type { ScrubRules } from './scrub-rules.js';
import { scrubText } from './scrub-text.js';

type Part = 'plain' | 'text' | 'lines' | 'opaque' | Scrub;
type Scrub = (value: unknown, rules: ScrubRules) => unknown;

/** Parts of an object by name; all others are data. */
type Parts = Readonly<Partial<Record<string, Part>>>;

const FRAME: Parts = {
  filename: 'plain',
  abs_path: 'plain',
  function: 'plain',
  raw_function: 'plain',
  module: 'plain',
  package: 'plain',
  platform: 'plain',
  symbol: 'plain',
  context_line: 'text',
  pre_context: 'lines',
  post_context: 'lines',
  source_link: 'text',
};

const STACK: Parts = { frames: each(FRAME) };

const MECHANISM: Parts = {
  type: 'plain',
  description: 'text',
  help_link: 'text',
  source: 'plain',
};

const EXCEPTION: Parts = {
  type: 'plain',
  module: 'plain',
  value: 'text',
  mechanism: members(MECHANISM),
  stacktrace: members(STACK),
  raw_stacktrace: members(STACK),
};

const THREAD: Parts = {
  name: 'text',
  stacktrace: members(STACK),
  raw_stacktrace: members(STACK),
};

const BREADCRUMB: Parts = {
  timestamp: 'plain',
  event_id: 'plain',
  type: 'plain',
  category: 'text',
  level: 'plain',
  message: 'text',
  data: scrubBreadcrumbData,
};

const MESSAGE: Parts = { message: 'text', formatted: 'text' };
const scrubMessageParts = members(MESSAGE);

/** Names and versions of the program are texts: a service may well be called `auth`. */
const EVENT: Parts = {
  event_id: 'plain',
  timestamp: 'plain',
  start_timestamp: 'plain',
  received: 'plain',
  platform: 'plain',
  level: 'plain',
  type: 'plain',
  logger: 'plain',
  sdk: 'opaque',
  debug_meta: 'opaque',
  release: 'text',
  dist: 'text',
  environment: 'text',
  server_name: 'text',
  transaction: 'text',
  culprit: 'text',
  fingerprint: 'lines',
  message: scrubMessage,
  logentry: scrubMessage,
  exception: each(EXCEPTION),
  threads: each(THREAD),
  breadcrumbs: each(BREADCRUMB),
  stacktrace: members(STACK),
  request: scrubRequest,
  modules: scrubModules,
};

/**
 * The event without what looks secret; the same object when there is nothing to remove. Texts for
 * people, source lines and names of code keep what can be read in them, all else is data.
 */
export function scrubEvent(event: JsonObject, rules: ScrubRules): JsonObject {
  return scrubParts(event, EVENT, rules);
}

function scrubParts<T extends object>(object: T, parts: Parts, rules: ScrubRules): T {
  return scrubMembers(object, rules, (name, value) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    return part === undefined ? scrubNamed([name, value], rules) : scrubPart(value, part, rules);
  });
}

function scrubPart(value: unknown, part: Part, rules: ScrubRules): unknown {
  if (typeof part === 'function') return part(value, rules);
  if (part === 'opaque') return isNestedDeeper(value, MAX_DEPTH) ? FILTERED : value;
  if (part === 'lines' && Array.isArray(value)) {
    return mapElements(value, (line) => scrubPart(line, 'text', rules));
  }
  if (typeof value !== 'string') return scrubData(value, rules);
  return part === 'plain' ? value : scrubText(value, rules);
}

/** Members of an object by their names. */
function members(parts: Parts): Scrub {
  return (value, rules) => {
    const object = objectOf(value);
    return object === null ? scrubData(value, rules) : scrubParts(object, parts, rules);
  };
}

/**
 * Scrubs a message, or a template with its values. A value has no name of its own, so the message
 * is formatted first: if that contains a secret, the values are removed.
 */
function scrubMessage(value: unknown, rules: ScrubRules): unknown {
  if (typeof value === 'string') return scrubText(value, rules);
  const sent = objectOf(value);
  const scrubbed = scrubMessageParts(value, rules);
  if (typeof sent?.message !== 'string' || sent.params == null) return scrubbed;
  const formatted =
    typeof sent.formatted === 'string' ? sent.formatted : formatMessage(sent.message, sent.params);
  const clean = scrubText(formatted, rules);
  if (clean === formatted) return scrubbed;
  return { ...(scrubbed as JsonObject), formatted: clean, params: FILTERED };
}

/** Each object of a list, of the list under `values`, or the one object. */
function each(parts: Parts): Scrub {
  const one = members(parts);
  const list = (value: unknown, rules: ScrubRules): unknown =>
    isListOfObjects(value)
      ? mapElements(value, (element) => one(element, rules))
      : scrubData(value, rules);
  return (value, rules) => {
    const object = objectOf(value);
    if (object === null) return list(value, rules);
    if (!Array.isArray(object.values)) return one(object, rules);
    return scrubMembers(object, rules, (name, inner) =>
      name === 'values' ? list(inner, rules) : scrubNamed([name, inner], rules),
    );
  };
}

function isListOfObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((element) => objectOf(element) !== null);
}

/** Fields of breadcrumbs that hold the requested URL, or the origin and target of a navigation. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'from', 'to']);
const ADDRESS = /^(?:https?:\/\/|\/)\S*$/i;

/** Addresses stay readable, as that of a request does; all else is data. */
function scrubBreadcrumbData(value: unknown, rules: ScrubRules): unknown {
  const data = objectOf(value);
  if (data === null) return scrubData(value, rules);
  return scrubMembers(data, rules, (name, one) => {
    const isNamed = rules.isSecretName(name) || rules.isSafeName(name);
    const isAddress = ADDRESSES.has(name) && typeof one === 'string' && ADDRESS.test(one);
    return isAddress && !isNamed ? scrubUrl(one, rules) : scrubNamed([name, one], rules);
  });
}

/** Versions of libraries are not secret, regardless of their names. */
function scrubModules(value: unknown, rules: ScrubRules): unknown {
  const modules = objectOf(value);
  if (modules === null) return scrubData(value, rules);
  return scrubMembers(modules, rules, (name, version) =>
    typeof version === 'string' && /^[v^~=]?\d[\w.+-]{0,40}$/.test(version)
      ? version
      : scrubNamed([name, version], rules),
  );
}
