import { describeDevice } from '../../account/active-sessions/device.js';
import { contextsOf, requestOf, tagsOf } from './event-fields.js';
import { nameOf } from './event-values.js';
import { cutText, type JsonObject, textOf } from './json-values.js';
import type { ExceptionFields } from './trace-fields.js';

/** Limits of stored tags. */
const TAG_LIMITS = { tags: 100, key: 32, value: 200 } as const;

/** Parts of the event that are parsed already. */
export interface TagSources {
  event: JsonObject;
  exceptions: ExceptionFields[];
  level: string;
  environment: string;
  release: string | null;
  logger: string | null;
  /** `id:7` for the affected user. */
  person: string | null;
}

/**
 * Tags of an event: those that follow from its fields first, whose keys programs cannot set, then
 * the program's own.
 */
export function eventTags(sources: TagSources): Map<string, string> {
  const tags = new Map<string, string>();
  for (const [key, value] of [...derivedTags(sources), ...tagsOf(sources.event)]) {
    const name = cutText(key.trim(), TAG_LIMITS.key);
    const text = cutText(inOneLine(value), TAG_LIMITS.value);
    if (name === '' || text === '' || tags.has(name)) continue;
    tags.set(name, text);
    if (tags.size === TAG_LIMITS.tags) break;
  }
  return tags;
}

function derivedTags(sources: TagSources): [string, string][] {
  const { event, exceptions } = sources;
  const mechanism = exceptions.findLast((exception) => exception.mechanism !== null)?.mechanism;
  const tags: [string, string | null | undefined][] = [
    ['level', sources.level],
    ['environment', sources.environment],
    ['release', sources.release],
    ['dist', nameOf(event.dist)],
    ['server_name', nameOf(event.server_name)],
    ['transaction', nameOf(event.transaction)],
    ['logger', sources.logger],
    ['mechanism', mechanism?.type],
    ['handled', handledTag(exceptions)],
    ['user', sources.person],
    ...requestTags(event),
    ...contextTags(event),
  ];
  return tags.flatMap(([key, value]): [string, string][] => (value == null ? [] : [[key, value]]));
}

function handledTag(exceptions: ExceptionFields[]): string | null {
  const known = exceptions.flatMap(({ mechanism }) => mechanism?.isHandled ?? []);
  if (known.length === 0) return null;
  return known.every((isHandled) => isHandled) ? 'yes' : 'no';
}

/** The address without its parameters, and what the browser calls itself. */
function requestTags(event: JsonObject): [string, string | null][] {
  const request = requestOf(event);
  if (request === null) return [];
  const header = request.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
  const agent = textOf(Array.isArray(header) ? header[0] : header);
  const { browser, system } = describeDevice(agent ?? '');
  return [
    ['url', request.url?.split(/[?#]/, 1)[0] ?? null],
    ...namedTags('browser', browser),
    ['client_os', system],
  ];
}

function contextTags(event: JsonObject): [string, string | null][] {
  const contexts = new Map(contextsOf(event));
  const named = ['runtime', 'os', 'client_os', 'browser'].flatMap((name) => {
    const context = contexts.get(name);
    if (context === undefined) return [];
    return namedTags(name, `${textOf(context.name) ?? ''} ${textOf(context.version) ?? ''}`);
  });
  const device = contexts.get('device');
  return [...named, ['device', textOf(device?.model)], ['device.family', textOf(device?.family)]];
}

/** `runtime` is `node 20.1.0`, `runtime.name` is `node`. */
function namedTags(key: string, text: string | null): [string, string | null][] {
  const named = text?.trim() ?? '';
  if (named === '') return [];
  return [
    [key, named],
    [`${key}.name`, named.replace(/ [\dv][^ ]*$/, '')],
  ];
}

function inOneLine(text: string): string {
  return text
    .slice(0, 2 * TAG_LIMITS.value)
    .replace(/\s+/g, ' ')
    .trim();
}
